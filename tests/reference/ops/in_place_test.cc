// In-place operators: those by a functional form, and those with meanings of their own.
#include <gmock/gmock.h>

#include "reference/op_schema.h"
#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

TEST(InPlaceForms, AreOperatorsThatTakeTheSameOperands) {
  for (const InPlaceForm& form : InPlaceForms()) {
    const OpSchema* in_place = FindOperator(form.name);
    const OpSchema* functional = FindOperator(form.functional);
    ASSERT_TRUE(in_place != nullptr && functional != nullptr) << form.name;
    EXPECT_TRUE(in_place->in_place) << form.name;
    std::vector<ArgKind> kinds;
    for (const ArgSchema& arg : functional->args) {
      if (!arg.out) kinds.push_back(arg.kind);
    }
    std::vector<ArgKind> taken;
    for (const ArgSchema& arg : in_place->args) taken.push_back(arg.kind);
    EXPECT_EQ(taken, kinds) << form.name;
  }
}

TEST(InPlaceOperators, AllHaveAMeaning) {
  for (const OpSchema& schema : AllOperators()) {
    if (schema.in_place && schema.name.starts_with("aten::")) {
      EXPECT_NE(FindMeaning(schema.name), nullptr) << schema.name;
    }
  }
}

TEST(AddInPlace, KeepsSelfsTypeAndSizes) {
  EXPECT_EQ(
      ResultOf("aten::add_.Tensor", {Tensor<int8_t>({2}, {1, 2}), Tensor<int64_t>({1}, {300}), 1}),
      Tensor<int8_t>({2}, {45, 46}));
  EXPECT_THAT(
      FaultOf("aten::add_.Tensor", {Tensor<float>({1}, {1}), Tensor<float>({2}, {1, 2}), 1}),
      HasSubstr("differ from the sizes of self"));
}

TEST(Zero, ForgetsWhatWasThere) {
  EXPECT_EQ(ResultOf("aten::zero_", {Tensor<float>({2}, {NAN, 1})}), Tensor<float>({2}, {0, 0}));
}

TEST(IndexCopy, WritesSlicesAlongTheDimension) {
  EXPECT_EQ(ResultOf("aten::index_copy_",
                     {Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}), -1, Tensor<int64_t>({2}, {2, 0}),
                      Tensor<float>({2, 2}, {10, 20, 30, 40})}),
            Tensor<float>({2, 3}, {20, 2, 10, 40, 5, 30}));
}

TEST(IndexAdd, AddsUpEqualIndices) {
  EXPECT_EQ(ResultOf("aten::index_add_",
                     {Tensor<int32_t>({2}, {1, 2}), 0, Tensor<int32_t>({3}, {1, 1, 0}),
                      Tensor<int32_t>({3}, {10, 20, 30}), 2}),
            Tensor<int32_t>({2}, {61, 62}));
}

TEST(IndexAdd, TakesATensorWithoutDimensionsForOneElement) {
  EXPECT_EQ(ResultOf("aten::index_add_", {Tensor<float>({}, {1}), 0, Tensor<int64_t>({}, {0}),
                                          Tensor<float>({}, {2}), 1}),
            Tensor<float>({}, {3}));
}

TEST(IndexAdd, RefusesIndicesOutOfRange) {
  const TensorValue self = Tensor<float>({2}, {1, 2});
  const TensorValue source = Tensor<float>({1}, {1});
  for (const int64_t index : {-1, 2}) {
    EXPECT_THAT(FaultOf("aten::index_add_", {self, 0, Tensor<int64_t>({1}, {index}), source, 1}),
                HasSubstr("out of range"));
  }
}

TEST(IndexAdd, LeavesTheOperandOfTheFunctionalFormAlone) {
  const TensorValue self = Tensor<float>({2}, {1, 2});
  EXPECT_EQ(ResultOf("aten::index_add.out",
                     {self, 0, Tensor<int64_t>({1}, {1}), Tensor<float>({1}, {10}), 0.5}),
            Tensor<float>({2}, {1, 7}));
  EXPECT_EQ(self, Tensor<float>({2}, {1, 2}));
}

// Where places repeat, the last one stays.
TEST(IndexCopy, KeepsTheLastOfEqualPlaces) {
  EXPECT_EQ(ResultOf("aten::index_copy.out",
                     {Tensor<int32_t>({3}, {1, 2, 3}), 0, Tensor<int64_t>({3}, {2, 0, 2}),
                      Tensor<int32_t>({3}, {10, 20, 30})}),
            Tensor<int32_t>({3}, {20, 2, 30}));
}

TEST(IndexFill, CountsNegativePlacesFromTheEnd) {
  const TensorValue self = Tensor<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(
      ResultOf("aten::index_fill.int_Scalar_out", {self, 1, Tensor<int64_t>({2}, {-1, 0}), 9}),
      Tensor<int32_t>({2, 3}, {9, 2, 9, 9, 5, 9}));
  EXPECT_EQ(ResultOf("aten::index_fill_.int_Tensor",
                     {self, -2, Tensor<int64_t>({}, {1}), Tensor<float>({}, {7.75})}),
            Tensor<int32_t>({2, 3}, {1, 2, 3, 7, 7, 7}));
  EXPECT_THAT(FaultOf("aten::index_fill_.int_Scalar", {self, 0, Tensor<int64_t>({1}, {-3}), 9}),
              HasSubstr("out of range"));
  EXPECT_THAT(FaultOf("aten::index_fill_.int_Tensor",
                      {self, 0, Tensor<int64_t>({1}, {0}), Tensor<int32_t>({1}, {9})}),
              HasSubstr("the value has dimensions"));
}

}  // namespace
}  // namespace pteproof
