// The text form is read: every construct.
#include "reference/graph/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

using testing::ElementsAre;

// Operand 0 of a call of an unknown operator, in a method with a dim n.
Operand OperandOf(const std::string& literal) {
  const auto module =
      Parse("method m(%x: float32[n]) dims(n in 1..8) { a::b(" + literal + ") return }");
  EXPECT_TRUE(module.ok()) << literal << ": " << module.error().message;
  return module.ok() ? module.value().methods[0].body.nodes[0].operands[0] : Operand{};
}

TEST(Parse, ReadsAnEmptyTextAsAnEmptyModule) {
  EXPECT_EQ(Parse("").value(), Module{});
  EXPECT_EQ(Parse(" # nothing\n\t# at all").value(), Module{});
}

TEST(Parse, ReadsBuffersWithTheirContents) {
  const auto module = Parse(
      "buffer @a.b: int8[2] shared = [-128, 0x7f]\n"
      "buffer @c: float32[2, 2]\n"
      "buffer @d: bool[] = [true]\n");
  ASSERT_TRUE(module.ok());
  const auto& buffers = module.value().buffers;
  ASSERT_EQ(buffers.size(), 3U);
  EXPECT_EQ(buffers[0].name, "a.b");
  EXPECT_TRUE(buffers[0].shared);
  EXPECT_EQ(IntAt(*buffers[0].initial, 0), -128);
  EXPECT_EQ(IntAt(*buffers[0].initial, 1), 127);
  EXPECT_FALSE(buffers[1].shared);
  EXPECT_FALSE(buffers[1].initial.has_value());
  EXPECT_EQ(buffers[1].type.sizes, (std::vector<SizeExpr>{2, 2}));
  EXPECT_EQ(buffers[2].initial->sizes, Sizes{});
  EXPECT_EQ(IntAt(*buffers[2].initial, 0), 1);
}

TEST(Parse, NumbersValuesInOrderOfDefinition) {
  const auto module = Parse(
      "buffer @b: float32[4]\n"
      "method m(%x: float32[4], %p: bool) { %e = entry @b\n"
      "%y: float32[4] = cond(%p, %x) { (%u: float32[4]) { return %u }\n"
      "  (%u: float32[4]) { %v: float32[4] = aten::neg.out(%u) return %v } }\n"
      "return %y, %e store @b = %y store %x = %e }");
  ASSERT_TRUE(module.ok());
  const Method& method = module.value().methods[0];
  EXPECT_EQ(method.inputs[1].value, 1);
  EXPECT_EQ(method.buffers[0], (BufferEntry{0, 2}));
  const Node& node = method.body.nodes[0];
  EXPECT_THAT(node.results, ElementsAre(3));
  EXPECT_THAT(node.regions[0].params, ElementsAre(4));
  EXPECT_THAT(node.regions[1].params, ElementsAre(5));
  EXPECT_THAT(node.regions[1].results, ElementsAre(6));
  EXPECT_THAT(method.body.results, ElementsAre(3, 2));
  EXPECT_THAT(method.stores, ElementsAre(BufferStore{0, 3}));
  EXPECT_THAT(method.input_stores, ElementsAre(InputStore{0, 2}));
}

TEST(Parse, ReadsTheAttributesOfNodes) {
  const auto module = Parse(
      "buffer @a: float32[4] shared buffer @b: float32[4]\n"
      "method m(%x: float32[4] in_place) {\n"
      "%0: float32[4] = aten::relu.out(%x) pool(\"sram\") in_place(0)\n"
      "%1: float32[4] = aten::neg.out(%0) after(%0, %x)\n"
      "%2: float32[2] = view aten::slice_copy.Tensor_out(%1, 0, 0, 2, 1)\n"
      "delegate \"D\"(%2) uses(@a writes) owns(@b) return }");
  ASSERT_TRUE(module.ok()) << module.error().message;
  const Method& method = module.value().methods[0];
  EXPECT_TRUE(method.inputs[0].in_place);
  EXPECT_EQ(method.body.nodes[0].in_place, 0);
  EXPECT_EQ(method.body.nodes[0].pool, "sram");
  EXPECT_EQ(method.body.nodes[0].schema, FindOperator("aten::relu.out"));
  EXPECT_THAT(method.body.nodes[1].after, ElementsAre(1, 0));
  EXPECT_TRUE(method.body.nodes[2].view);
  EXPECT_EQ(method.body.nodes[3].op, "D");
  EXPECT_THAT(method.body.nodes[3].buffers,
              ElementsAre(DelegateBuffer{0, DelegateRole::kUses, true},
                          DelegateBuffer{1, DelegateRole::kOwns, false}));
}

TEST(Parse, ReadsDimsAndSizesOverThem) {
  const auto module = Parse(
      "method m(%x: float32[2*n + 1, floordiv(n, 2)]) dims(n in 1..8 hint 2, k in 0..3) {\n"
      "return }");
  ASSERT_TRUE(module.ok());
  const Method& method = module.value().methods[0];
  EXPECT_THAT(method.dims, ElementsAre(DimSymbol{"n", 1, 8, 2}, DimSymbol{"k", 0, 3, {}}));
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(std::get<TensorType>(method.values[0]).sizes,
            (std::vector<SizeExpr>{SizeExpr(2) * n + 1, FloorDiv(n, 2)}));
}

TEST(Parse, ReadsEveryKindOfOperand) {
  EXPECT_EQ(OperandOf("None"), Operand{});
  EXPECT_EQ(OperandOf("%x"), Operand{Operand::Value{0}});
  EXPECT_EQ(OperandOf("true"), Operand{true});
  EXPECT_EQ(OperandOf("-7"), Operand{SizeExpr(-7)});
  EXPECT_EQ(OperandOf("-9223372036854775808"), Operand{SizeExpr(INT64_MIN)});
  EXPECT_EQ(OperandOf("9223372036854775807"), Operand{SizeExpr(INT64_MAX)});
  EXPECT_EQ(OperandOf("n - 1"), Operand{SizeExpr::Symbol(0) - 1});
  EXPECT_EQ(
      OperandOf("max(n, 3*n*n)"),
      Operand{Max(SizeExpr::Symbol(0), SizeExpr(3) * SizeExpr::Symbol(0) * SizeExpr::Symbol(0))});
  EXPECT_EQ(OperandOf("-2.5e-3"), Operand{-0.0025});
  EXPECT_EQ(OperandOf("1e3"), Operand{1000.0});
  EXPECT_EQ(OperandOf("5e-324"), Operand{5e-324});
  EXPECT_EQ(OperandOf("-inf"), Operand{-HUGE_VAL});
  EXPECT_TRUE(std::isnan(std::get<double>(OperandOf("nan").held)));
  EXPECT_TRUE(std::signbit(std::get<double>(OperandOf("-0.0").held)));
  EXPECT_EQ(OperandOf(R"("a\"\\\n\t\x00z")"), Operand{std::string("a\"\\\n\t\0z", 7)});
  EXPECT_EQ(OperandOf("[1, [], None]"),
            (Operand{OperandList{{SizeExpr(1)}, {OperandList{}}, Operand{}}}));
}

}  // namespace
}  // namespace pteproof::graph
