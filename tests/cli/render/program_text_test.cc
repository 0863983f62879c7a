#include "cli/render/program_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/render/instruction_text.h"
#include "cli/render/value_text.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

// v0 and v1: tensors; v2: a list of both; v3: an integer; v4: an optional list of none and v1; v5:
// a bool that a jump tests. Instructions: add(v0, v1, v3, v1), a call with the list, a jump, a
// move, a free.
Method SampleMethod() {
  Method m;
  m.name = "forward";
  m.ints = {2,         3, 0, 1, /*order*/ 1, 0,          /*list*/ 0, 1, /*optional*/ -1, 1,
            /*add*/ 0, 1, 3, 1, 1,           /*call*/ 2, 5};
  m.text = "cache.k";
  Tensor planned;
  planned.dtype = ScalarType::kFloat32;
  planned.planned = true;
  planned.bank = 2;
  planned.offset = 16;
  planned.nbytes = 24;
  planned.data_index = 1;
  planned.sizes = {0, 2};
  planned.dim_order = {2, 2};
  planned.name = {0, 7};
  Tensor constant;
  constant.dtype = ScalarType::kInt64;
  constant.data_index = 3;
  constant.dynamism = Dynamism::kBounded;
  constant.sizes = {0, 2};
  constant.dim_order = {4, 2};
  m.tensors = {planned, constant};
  m.values = {{.kind = ValueKind::kTensor, .tensor = 0, .items = {}},
              {.kind = ValueKind::kTensor, .tensor = 1, .items = {}},
              {.kind = ValueKind::kTensorList, .items = {6, 2}},
              {.kind = ValueKind::kInt, .items = {}, .integer = -4},
              {.kind = ValueKind::kOptionalTensorList, .items = {8, 2}},
              {.kind = ValueKind::kBool, .items = {}, .integer = 1}};
  m.operators = {{"aten::add.out", FindOperator("aten::add.out")}, {"my::own\n", nullptr}};
  m.delegates = {{"XnnpackBackend", {}}};
  m.instructions = {{InstructionKind::kKernelCall, 0, 0, {10, 5}},
                    {InstructionKind::kKernelCall, 1, 0, {15, 2}},
                    {InstructionKind::kDelegateCall, 0, 0, {10, 2}},
                    {InstructionKind::kJumpFalse, 5, 1, {}},
                    {InstructionKind::kMove, 0, 1, {}},
                    {InstructionKind::kFree, 1, 0, {}}};
  m.inputs = {0};
  m.outputs = {1, 0};
  m.bank_sizes = {0, 64, 40};
  return m;
}

std::string Shown(size_t instruction) {
  const Method m = SampleMethod();
  return InstructionText(m, m.instructions[instruction]);
}

TEST(InstructionText, NamesTheArgumentsOfAKnownOperator) {
  EXPECT_EQ(Shown(0), "aten::add.out(self=v0, other=v1, alpha=v3, out=v1) -> v1");
}

TEST(InstructionText, QuotesAnUnknownOperator) {
  EXPECT_EQ(Shown(1), "my::own\\n(v2, v5)  (operator unknown)");
}

TEST(InstructionText, ShowsTheOtherKinds) {
  EXPECT_EQ(Shown(2), "delegate 0 XnnpackBackend(v0, v1)");
  EXPECT_EQ(Shown(3), "if not v5, jump to 1");
  EXPECT_EQ(Shown(4), "move v0 to v1");
  EXPECT_EQ(Shown(5), "free v1");
}

TEST(ValueText, ShowsTypesAndLists) {
  const Method m = SampleMethod();
  EXPECT_EQ(TypeText(m, 0), "float32 [2, 3]");
  EXPECT_EQ(TypeText(m, 1), "int64 [2, 3] at most order [1, 0]");
  EXPECT_EQ(TypeText(m, 2), "tensors [v0, v1]");
  EXPECT_EQ(TypeText(m, 3), "int -4");
  EXPECT_EQ(TypeText(m, 4), "tensors [none, v1]");
  EXPECT_EQ(TypeText(m, 5), "bool true");
}

TEST(ValueText, ShowsPlacesAndOrigins) {
  const Method m = SampleMethod();
  EXPECT_EQ(PlaceText(m, 0), "bank 2 [16,40)");
  EXPECT_EQ(OriginText(m, 0), "initial value 1, 'cache.k'");
  EXPECT_EQ(PlaceText(m, 1), "constant 3");
  EXPECT_EQ(PlaceText(m, 3), "-");
}

TEST(MethodText, HasBanksRolesAndInstructions) {
  const std::string text = MethodText(SampleMethod());
  EXPECT_THAT(text, HasSubstr("method forward\n  bank 1: 64 bytes\n  bank 2: 40 bytes\n"));
  EXPECT_THAT(text, HasSubstr("input 0, output 1, initial value 1, 'cache.k'"));
  EXPECT_THAT(text, HasSubstr("      4  move v0 to v1\n"));
}

}  // namespace
}  // namespace pteproof
