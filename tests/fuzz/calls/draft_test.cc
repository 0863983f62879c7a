#include "fuzz/calls/draft.h"

#include <gtest/gtest.h>

#include <vector>

#include "pteproof/read.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

int32_t AddDraftTensor(Draft& draft, Home home, uint32_t bank) {
  DraftValue value;
  value.kind = ValueKind::kTensor;
  value.tensor.sizes = {2, 3};
  value.tensor.home = home;
  value.tensor.bank = bank;
  return draft.Add(std::move(value));
}

// List values are drawn before the tensors in them, which no file has.
TEST(Draft, BecomesAFileWithListsBehindTheirItems) {
  Draft draft;
  DraftValue list;
  list.kind = ValueKind::kTensorList;
  const int32_t tensors = draft.Add(std::move(list));
  const int32_t first = AddDraftTensor(draft, Home::kBank, 1);
  const int32_t second = AddDraftTensor(draft, Home::kBank, 2);
  draft.At(tensors).items = {second, first};
  const int32_t dim = draft.Add(NumberValue(0));
  const int32_t out = AddDraftTensor(draft, Home::kBank, 3);
  draft.At(out).tensor.sizes = {4, 3};
  draft.At(first).tensor.is_input = true;
  draft.At(out).tensor.is_output = true;
  DraftStep step;
  step.op = FindOperator("aten::cat.out");
  step.args = {tensors, dim, out, out};
  draft.steps.push_back(std::move(step));
  const WrittenDraft written = WriteDraft(draft);
  const auto program = ReadProgram(written.file);
  ASSERT_TRUE(program.ok());
  const Method& method = program.value().methods[0];
  ASSERT_EQ(written.input_values, std::vector<int32_t>{first});
  const auto args = method.Ints(method.instructions[0].args);
  const Value& read = method.values[static_cast<size_t>(args[0])];
  ASSERT_EQ(read.kind, ValueKind::kTensorList);
  ASSERT_EQ(read.items.count, 2U);
  EXPECT_EQ(method.TensorOf(method.Ints(read.items)[0])->bank, 2U);
  EXPECT_EQ(method.TensorOf(method.Ints(read.items)[1])->bank, 1U);
  EXPECT_EQ(method.bank_sizes, (std::vector<uint64_t>{0, 24, 24, 48}));
}

TEST(Draft, StoresConstants) {
  Draft draft;
  const int32_t constant = AddDraftTensor(draft, Home::kConstant, 0);
  draft.At(constant).tensor.dtype = ScalarType::kUInt8;
  draft.At(constant).tensor.data.assign(6, std::byte{7});
  const WrittenDraft written = WriteDraft(draft);
  const auto program = ReadProgram(written.file);
  ASSERT_TRUE(program.ok());
  const Tensor& tensor = *program.value().methods[0].TensorOf(0);
  ASSERT_GT(tensor.data_index, 0U);
  const Bytes blob = program.value().constants[tensor.data_index];
  ASSERT_GE(blob.size(), 6U);
  EXPECT_EQ(blob[5], std::byte{7});
}

TEST(Draft, KeepsTheTargetsOfJumpsWhenAStepIsInserted) {
  Draft draft;
  draft.steps.push_back(StepOf(InstructionKind::kMove, 0, 1));
  draft.steps.push_back(StepOf(InstructionKind::kMove, 1, 0));
  draft.steps.push_back(StepOf(InstructionKind::kJumpFalse, 2, 2));
  draft.steps.push_back(StepOf(InstructionKind::kJumpFalse, 2, 0));
  draft.Insert(1, StepOf(InstructionKind::kFree, 0, 0));
  ASSERT_EQ(draft.steps.size(), 5U);
  EXPECT_EQ(draft.steps[1].kind, InstructionKind::kFree);
  EXPECT_EQ(draft.steps[3].other, 3);
  EXPECT_EQ(draft.steps[4].other, 0);
}

}  // namespace
}  // namespace pteproof::fuzz
