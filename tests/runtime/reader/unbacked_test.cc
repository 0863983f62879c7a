#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using wire::AddFile;
using wire::File;

// The sound file, whose input is now `value`, still the call's first argument but no input of the
// method.
File ReadingInstead(wire::Value value) {
  File file = AddFile();
  file.value(1) = std::move(value);
  file.method().inputs->clear();
  return file;
}

TEST(Unbacked, RefusesATensorThatIsReadWithoutMemory) {
  const Finding finding = OnlyFinding(ReadingInstead(wire::Float({3})));
  EXPECT_EQ(finding.rule, rule::kFileTensorMemory);
  EXPECT_EQ(finding.instruction, 0);
  EXPECT_THAT(finding.values, testing::ElementsAre(1));
}

TEST(Unbacked, NamesTheFirstOfTwoInstructionsThatRead) {
  File file = ReadingInstead(wire::Float({3}));
  file.code().push_back(file.code().front());
  EXPECT_EQ(OnlyFinding(file).instruction, 0);
}

TEST(Unbacked, AcceptsOneWithoutBytes) {
  wire::Value none = wire::Float({0});
  none.tensor.type = 0;
  EXPECT_THAT(RulesOf(ReadingInstead(none)), Accepted());
}

TEST(Unbacked, AcceptsInputsAndOutputs) {
  File file = ReadingInstead(wire::Float({3}));
  file.method().inputs = {1};
  EXPECT_THAT(RulesOf(file), Accepted());
  file.method().inputs->clear();
  file.method().outputs->push_back(1);
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Unbacked, AcceptsStateThatIsNamed) {
  wire::Value state = wire::Float({3});
  state.tensor.extra = wire::Extra{.name = "cache"};
  EXPECT_THAT(RulesOf(ReadingInstead(state)), Accepted());
}

TEST(Unbacked, AcceptsOneThatIsMovedTo) {
  File file = ReadingInstead(wire::Float({3}));
  file.code().insert(file.code().begin(), wire::Move(2, 1));
  EXPECT_THAT(RulesOf(file), Accepted());
}

// No loader brings memory for an intermediate value.
TEST(Unbacked, RefusesOneThatIsWritten) {
  File file = ReadingInstead(wire::Float({3}));
  file.code().insert(file.code().begin(), wire::Call(0, {0, 0, 3, 1, 1}));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorMemory));
  file.method().outputs->push_back(1);
  EXPECT_THAT(RulesOf(file), Accepted());
}

// It becomes the argument that the call returns.
TEST(Unbacked, AcceptsAReturnSlot) {
  File file = ReadingInstead(wire::Float({3}));
  file.code().insert(file.code().begin(), wire::Call(0, {0, 0, 3, 2, 1}));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Unbacked, AcceptsAViewOfSomething) {
  File file = ReadingInstead(wire::Float({3}));
  const int32_t sizes = file.Add(wire::List(wire::kIntList, {3}));
  file.method().operators->push_back({"executorch_prim::et_view", "default"});
  file.code().insert(file.code().begin(), wire::Call(1, {0, sizes, 1}));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Unbacked, AcceptsWhatADelegateMayWrite) {
  File file = ReadingInstead(wire::Float({3}));
  file.inline_blobs = {std::vector<uint8_t>{}};
  file.method().delegates->emplace_back();
  file.code().insert(file.code().begin(), wire::CallDelegate(0, {0, 1}));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Unbacked, RefusesAConditionWithoutMemory) {
  File file = AddFile();
  wire::Value condition = wire::Float({1});
  condition.tensor.type = 11;
  file.code().push_back(wire::JumpFalse(file.Add(condition), 0));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorMemory));
}

TEST(Unbacked, FindsReadsThroughLists) {
  File file = AddFile();
  const int32_t loose = file.Add(wire::Float({3}));
  const int32_t list = file.Add(wire::List(wire::kTensorList, {1, loose}));
  file.method().operators->push_back({"aten::cat", "out"});
  file.code().push_back(wire::Call(1, {list, 3, 2, 2}));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorMemory));
}

TEST(Unbacked, FindsTheFirstValueInAList) {
  File file = AddFile();
  file.value(0) = wire::Float({3});
  const int32_t list = file.Add(wire::List(wire::kTensorList, {0, 1}));
  file.method().operators->push_back({"aten::cat", "out"});
  file.code() = {wire::Call(1, {list, 3, 2, 2})};
  EXPECT_THAT(OnlyFinding(file).values, testing::ElementsAre(0));
}

TEST(Unbacked, FindsWhatAnOperatorUpdates) {
  File file = AddFile();
  const int32_t loose = file.Add(wire::Float({3}));
  const int32_t flag = file.Add(wire::Bool(false));
  const int32_t list = file.Add(wire::List(wire::kOptionalTensorList, {1}));
  file.method().operators->push_back({"aten::index_put_", ""});
  file.code().push_back(wire::Call(1, {loose, list, 1, flag, loose}));
  EXPECT_THAT(OnlyFinding(file).values, testing::ElementsAre(loose));
}

TEST(Unbacked, TakesTheLastValueOfUnknownOperatorsForTheirReturnSlot) {
  File file = ReadingInstead(wire::Float({3}));
  file.method().operators->push_back({"my::op", "out"});
  file.code().insert(file.code().begin(), wire::Call(1, {0, 3, 1}));
  EXPECT_THAT(RulesOf(file), Accepted());
  file.code().front() = wire::Call(1, {1, 3, 2});
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorMemory));
}

// An operator that the table does not know, with the tensor as its first or its last argument, by
// itself or in a list.
TEST(Unbacked, LooksAtEachArgumentOfAnUnknownOperator) {
  for (const bool in_list : {false, true}) {
    File file = AddFile();
    const int32_t tensor = file.Add(wire::Float({3}));
    const int32_t list = file.Add(wire::List(wire::kTensorList, {tensor}));
    const int32_t given = in_list ? list : tensor;
    file.method().operators->push_back({"my::op", "out"});
    file.code().push_back(wire::Call(1, {given, 3, 2}));
    EXPECT_EQ(OnlyFinding(file).rule, rule::kFileTensorMemory);
    file.code().insert(file.code().begin(), wire::Call(1, {1, 3, given}));
    EXPECT_THAT(RulesOf(file), Accepted());
  }
}

}  // namespace
}  // namespace pteproof
