// Operators of the runtime: numbers, and the few on tensors.
#include <gmock/gmock.h>

#include <limits>

#include "reference/op_schema.h"
#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kLeastNumber = std::numeric_limits<int64_t>::min();

ScalarResult Int(int64_t value) {
  return value;
}

std::optional<SizeExpr> SizeFrom(std::string_view name, const std::vector<TypeOperand>& operands) {
  const auto args = ArgsOf<TypeArgument>(operands);
  return FindMeaning(name)->scalar_rule({FindOperator(name), args});
}

TEST(PrimArithmetic, StaysWithIntegersUnlessOneIsAFloat) {
  EXPECT_EQ(NumberFrom("executorch_prim::add.Scalar", {2, 3}), Int(5));
  EXPECT_EQ(NumberFrom("executorch_prim::sub.Scalar", {2, 0.5}), ScalarResult(1.5));
  EXPECT_EQ(NumberFrom("executorch_prim::truediv.Scalar", {1, 2}), ScalarResult(0.5));
  EXPECT_THAT(FaultOf("executorch_prim::mul.Scalar", {true, 2}), HasSubstr("bool"));
}

TEST(PrimDivision, RoundsDown) {
  EXPECT_EQ(NumberFrom("executorch_prim::floordiv.Scalar", {-7, 2}), Int(-4));
  EXPECT_EQ(NumberFrom("executorch_prim::floordiv.int", {7, -2}), Int(-4));
  EXPECT_EQ(NumberFrom("executorch_prim::mod.Scalar", {-7, 2}), Int(1));
  EXPECT_EQ(NumberFrom("executorch_prim::mod.int", {7, -2}), Int(-1));
  EXPECT_EQ(NumberFrom("executorch_prim::floordiv.Scalar", {-0.5, 1}), ScalarResult(-1.0));
}

// A processor divides neither.
TEST(PrimDivision, IsRefusedByZeroAndBeyondTheGreatestInteger) {
  for (const char* op : {"executorch_prim::floordiv.Scalar", "executorch_prim::floordiv.int",
                         "executorch_prim::mod.Scalar", "executorch_prim::mod.int"}) {
    EXPECT_THAT(FaultOf(op, {5, 0}), HasSubstr("zero")) << op;
    EXPECT_THAT(FaultOf(op, {kLeastNumber, -1}), HasSubstr("the least integer")) << op;
  }
}

TEST(PrimDivision, OfAFloatByZeroIsInfinite) {
  EXPECT_EQ(NumberFrom("executorch_prim::floordiv.Scalar", {7.0, 0}),
            ScalarResult(std::numeric_limits<double>::infinity()));
}

TEST(PrimComparisons, CompareABoolWithABoolOnly) {
  EXPECT_THAT(FaultOf("executorch_prim::eq.Scalar", {true, 1}), HasSubstr("a bool"));
  EXPECT_THAT(FaultOf("executorch_prim::lt.Scalar", {0.5, true}), HasSubstr("a bool"));
}

TEST(PrimComparisons, CompareAnIntegerWithAFloatAsFloats) {
  EXPECT_EQ(NumberFrom("executorch_prim::eq.Scalar", {3, 3.0}), ScalarResult(true));
  EXPECT_EQ(NumberFrom("executorch_prim::lt.Scalar", {kLeastNumber, kLeastNumber + 1}),
            ScalarResult(true));
  EXPECT_EQ(NumberFrom("executorch_prim::ge.Scalar", {true, false}), ScalarResult(true));
}

TEST(PrimRounding, GivesIntegersOfFloatsOnly) {
  EXPECT_EQ(NumberFrom("executorch_prim::round.Scalar", {2.5}), Int(2));
  EXPECT_EQ(NumberFrom("executorch_prim::ceil.Scalar", {-0.5}), Int(0));
  EXPECT_EQ(NumberFrom("executorch_prim::trunc.Scalar", {-1.5}), Int(-1));
  EXPECT_THAT(FaultOf("executorch_prim::ceil.Scalar", {4}), HasSubstr("not a float"));
  EXPECT_THAT(FaultOf("executorch_prim::trunc.Scalar", {0x1p63}), HasSubstr("no integer"));
}

TEST(PrimSymInt, ConvertsAnyNumber) {
  EXPECT_EQ(NumberFrom("executorch_prim::sym_int.Scalar", {-4.5}), Int(-4));
  EXPECT_EQ(NumberFrom("executorch_prim::sym_int.Scalar", {true}), Int(1));
  EXPECT_EQ(NumberFrom("executorch_prim::sym_float.Scalar", {2}), ScalarResult(2.0));
}

TEST(PrimSymIte, ChoosesByABool) {
  EXPECT_EQ(NumberFrom("executorch_prim::sym_ite.Scalar", {false, 1, 2.5}), ScalarResult(2.5));
  EXPECT_THAT(FaultOf("executorch_prim::sym_ite.Scalar", {1, 2, 3}), HasSubstr("condition"));
}

TEST(PrimSymMax, TakesIntegersOnly) {
  EXPECT_EQ(NumberFrom("executorch_prim::sym_max.Scalar", {2, 3}), Int(3));
  EXPECT_THAT(FaultOf("executorch_prim::sym_min.Scalar", {2, 3.5}), HasSubstr("integer"));
}

TEST(PrimNumbers, AreExpressionsBeforeARun) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(SizeFrom("executorch_prim::add.Scalar", {n, 1}), n + 1);
  EXPECT_EQ(SizeFrom("executorch_prim::sub.Scalar", {n, n}), SizeExpr(0));
  EXPECT_EQ(SizeFrom("executorch_prim::mul.Scalar", {n, 2}), n + n);
  EXPECT_EQ(SizeFrom("executorch_prim::floordiv.int", {n + n, 2}), n);
  EXPECT_EQ(SizeFrom("executorch_prim::mod.Scalar", {n + n, 2}), SizeExpr(0));
  EXPECT_EQ(SizeFrom("executorch_prim::sym_max.Scalar", {n, n + 1}), n + 1);
  EXPECT_EQ(SizeFrom("executorch_prim::sym_min.Scalar", {n, n + 1}), n);
  EXPECT_EQ(SizeFrom("executorch_prim::neg.Scalar", {n}), 0 - n);
  EXPECT_EQ(SizeFrom("executorch_prim::sym_ite.Scalar", {true, n, 1}), n);
}

TEST(PrimNumbers, AreNoExpressionsWhereAFloatIsIn) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(SizeFrom("executorch_prim::add.Scalar", {n, 0.5}), std::nullopt);
  EXPECT_EQ(SizeFrom("executorch_prim::sym_int.Scalar", {2.5}), std::nullopt);
  EXPECT_EQ(FindMeaning("executorch_prim::eq.Scalar")->scalar_rule, nullptr);
}

// ExecuTorch's kernel ends the process at a negative one.
TEST(SymSize, CountsDimensionsFromTheFront) {
  const TensorValue t = Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(NumberFrom("aten::sym_size.int", {t, 1}), Int(3));
  EXPECT_THAT(FaultOf("aten::sym_size.int", {t, -2}), HasSubstr("the dimension is negative"));
  EXPECT_THAT(FaultOf("aten::sym_size.int", {t, 2}), HasSubstr("the dimension does not exist"));
  EXPECT_THAT(FaultOf("aten::sym_size.int", {Tensor<float>({}, {1}), 0}),
              HasSubstr("the dimension does not exist"));
}

TEST(SymNumel, IsTheProductOfTheSizes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(SizeFrom("aten::sym_numel", {TensorType{ScalarType::kInt8, {n, 3}}}), n * 3);
  EXPECT_EQ(NumberFrom("aten::sym_numel", {Tensor<float>({}, {1})}), Int(1));
}

TEST(LocalScalarDense, IsTheFirstElementAsItsKindOfNumber) {
  EXPECT_EQ(NumberFrom("aten::_local_scalar_dense", {Tensor<float>({2}, {0.5, 1})}),
            ScalarResult(0.5));
  EXPECT_EQ(NumberFrom("aten::_local_scalar_dense", {Tensor<bool>({}, {true})}),
            ScalarResult(true));
  EXPECT_EQ(NumberFrom("aten::_local_scalar_dense", {Tensor<int8_t>({}, {-3})}), Int(-3));
  EXPECT_THAT(FaultOf("aten::_local_scalar_dense", {Tensor<float>({0}, {})}),
              HasSubstr("no element"));
}

constexpr const char* kCopyIndex = "executorch_prim::et_copy_index.tensor";

TEST(CopyIndex, KeepsTheRowsBefore) {
  const TensorValue rows = Tensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const TensorValue row = Tensor<float>({2}, {8, 9});
  EXPECT_EQ(ResultOf(kCopyIndex, {rows, row, 1}), Tensor<float>({2, 2}, {1, 2, 8, 9}));
  EXPECT_EQ(ResultOf(kCopyIndex, {rows, row, 4}).sizes, (Sizes{5, 2}));
}

TEST(CopyIndex, HasOneRowMoreThanTheIndexWhereThatIsKnown) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const TensorType rows{ScalarType::kFloat32, {8, 2}};
  const TensorType row{ScalarType::kFloat32, {2}};
  EXPECT_EQ(TypeOfOp(kCopyIndex, {rows, row, 3}).sizes, (std::vector<SizeExpr>{4, 2}));
  EXPECT_EQ(TypeOfOp(kCopyIndex, {rows, row, n}).sizes, rows.sizes);
}

TEST(CopyIndex, RefusesWhatIsNoRowAndIndicesOutOfRange) {
  const TensorValue rows = Tensor<float>({1, 2}, {1, 2});
  EXPECT_THAT(FaultOf(kCopyIndex, {rows, Tensor<float>({1}, {1}), 0}), HasSubstr("not a row"));
  EXPECT_THAT(FaultOf(kCopyIndex, {Tensor<float>({}, {1}), Tensor<float>({}, {1}), 0}),
              HasSubstr("not a row"));
  for (const int64_t index : {int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    EXPECT_THAT(FaultOf(kCopyIndex, {rows, Tensor<float>({2}, {1, 2}), index}),
                HasSubstr("out of range"));
  }
}

constexpr const char* kView = "executorch_prim::et_view.default";

TEST(EtView, DeducesOneSize) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const TensorType self{ScalarType::kFloat32, {n, 4}};
  EXPECT_EQ(TypeOfOp(kView, {self, std::vector<SizeExpr>{2, -1}, self}).sizes,
            (std::vector<SizeExpr>{2, n * 2}));
}

TEST(EtView, RefusesSizesThatDoNotFit) {
  const TensorType self{ScalarType::kFloat32, {3, 4}};
  for (const auto& sizes : {std::vector{5, 2}, {-1, -1}, {0, -1}, {5, -1}, {-2, -6}}) {
    EXPECT_FALSE(TypesOfOp(kView, {self, sizes, self}).ok());
  }
}

}  // namespace
}  // namespace pteproof
