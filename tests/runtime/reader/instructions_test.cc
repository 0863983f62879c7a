#include "pteproof/program.h"
#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using wire::AddFile;
using wire::File;

// The sound file with one instruction more.
File With(wire::Instruction instruction) {
  File file = AddFile();
  file.code().push_back(std::move(instruction));
  return file;
}

wire::Value PlannedBools(uint64_t offset) {
  wire::Value value = wire::Planned({2}, offset);
  value.tensor.type = 11;
  return value;
}

TEST(Instructions, AreReadInOrder) {
  File file = AddFile();
  const int32_t flag = file.Add(wire::Bool(false));
  file.code().push_back(wire::JumpFalse(flag, 3));
  file.code().push_back(wire::Move(1, 2));
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const Method& method = read.value().methods[0];
  ASSERT_EQ(method.instructions.size(), 3U);
  EXPECT_EQ(method.instructions[0].kind, InstructionKind::kKernelCall);
  EXPECT_THAT(method.Ints(method.instructions[0].args), ElementsAre(1, 0, 3, 2, 2));
  EXPECT_EQ(method.instructions[1].kind, InstructionKind::kJumpFalse);
  EXPECT_EQ(method.instructions[1].target, flag);
  EXPECT_EQ(method.instructions[1].other, 3);
  EXPECT_EQ(method.instructions[2].kind, InstructionKind::kMove);
  EXPECT_EQ(method.instructions[2].target, 1);
  EXPECT_EQ(method.instructions[2].other, 2);
  ASSERT_EQ(method.operators.size(), 1U);
  EXPECT_EQ(method.operators[0].name, "aten::add.out");
  ASSERT_NE(method.operators[0].schema, nullptr);
}

TEST(Instructions, OfSeveralChainsFollowEachOther) {
  File file = AddFile();
  const int32_t flag = file.Add(wire::Bool(false));
  file.method().chains->push_back(
      std::vector{wire::Move(1, 2), wire::JumpFalse(flag, 0), wire::JumpFalse(flag, 3)});
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const auto& code = read.value().methods[0].instructions;
  ASSERT_EQ(code.size(), 4U);
  EXPECT_EQ(code[2].other, 1) << "the second chain's first instruction";
  EXPECT_EQ(code[3].other, 4) << "its end";
}

TEST(Instructions, RefusesUnknownTagsAndMissingTables) {
  for (const uint8_t tag : std::initializer_list<uint8_t>{0, 6, 255}) {
    wire::Instruction unknown = wire::Move(1, 2);
    unknown.tag = tag;
    EXPECT_THAT(RulesOf(With(unknown)), RefusedBy(rule::kFileInstruction)) << int{tag};
  }
  for (const uint8_t tag : std::initializer_list<uint8_t>{1, 2, 3, 4, 5}) {
    const wire::Instruction hole{.tag = tag, .has_table = false};
    EXPECT_THAT(RulesOf(With(hole)), RefusedBy(rule::kFileInstruction)) << int{tag};
  }
}

TEST(Instructions, SaysWhichInstructionIsWrong) {
  const Finding finding = OnlyFinding(With(wire::Call(5, {})));
  EXPECT_EQ(finding.method, "forward");
  EXPECT_EQ(finding.instruction, 1);
}

TEST(Instructions, RefusesOperatorsAndDelegatesThatAreNotThere) {
  for (const int32_t index : {-1, 1, INT32_MIN}) {
    EXPECT_THAT(RulesOf(With(wire::Call(index, {1, 0, 3, 2, 2}))),
                RefusedBy(rule::kFileInstruction))
        << index;
    EXPECT_THAT(RulesOf(With(wire::CallDelegate(index, {1}))), RefusedBy(rule::kFileInstruction))
        << index;
  }
}

// A later call that is right must not make up for an earlier one that is wrong.
TEST(Instructions, RefusesAMissingOperatorBeforeAGoodCall) {
  File file = AddFile();
  file.code().insert(file.code().begin(), wire::Call(9, {1, 0, 3, 2, 2}));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileInstruction));
}

TEST(Instructions, RefusesCallsWithoutArgumentVector) {
  File file = AddFile();
  file.code()[0].args.reset();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileInstruction));
}

TEST(Instructions, RefusesArgumentsThatNameNoValue) {
  for (const int32_t index : {-1, 4}) {
    EXPECT_THAT(RulesOf(With(wire::Call(0, {1, 0, 3, 2, index}))), RefusedBy(rule::kFileArguments))
        << index;
  }
}

TEST(Operators, RefusesMissingAndOverlongNames) {
  File file = AddFile();
  file.method().operators->push_back({{}, "out"});
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileOperator));
  file.method().operators->back() = {std::string(95, 'a'), "out"};
  EXPECT_THAT(RulesOf(file), Accepted()) << "99 characters with the dot";
  file.method().operators->back() = {std::string(96, 'a'), "out"};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileOperator));
}

TEST(Operators, HaveNoDotWithoutAnOverload) {
  File file = AddFile();
  file.method().operators->push_back({"my::op", {}});
  file.method().operators->push_back({"my::op", ""});
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().methods[0].operators[1].name, "my::op");
  EXPECT_EQ(read.value().methods[0].operators[2].name, "my::op");
}

TEST(Jumps, GoAnywhereInTheChainAndToItsEnd) {
  File file = AddFile();
  const int32_t flag = file.Add(wire::Bool(true));
  const int32_t bools = file.Add(PlannedBools(64));
  file.code().push_back(wire::JumpFalse(flag, 0));
  file.code().push_back(wire::JumpFalse(bools, 3));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Jumps, RefusesTargetsOutsideTheChain) {
  for (const int32_t target : {-5, -1, 3, INT32_MAX}) {
    File file = AddFile();
    file.code().push_back(wire::JumpFalse(file.Add(wire::Bool(true)), target));
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileJump)) << target;
  }
}

TEST(Jumps, RefusesConditionsThatAreNeitherBoolNorBools) {
  for (const int32_t condition : {-1, 4, 3, 1}) {
    EXPECT_THAT(RulesOf(With(wire::JumpFalse(condition, 0))), RefusedBy(rule::kFileJump))
        << condition;
  }
}

TEST(Moves, RefusesValuesThatAreNotThere) {
  EXPECT_THAT(RulesOf(With(wire::Move(4, 1))), RefusedBy(rule::kFileMove));
  EXPECT_THAT(RulesOf(With(wire::Move(1, -1))), RefusedBy(rule::kFileMove));
}

TEST(Moves, RefusesTwoKinds) {
  EXPECT_THAT(RulesOf(With(wire::Move(3, 1))), RefusedBy(rule::kFileMove));
  File file = AddFile();
  const int32_t list = file.Add(wire::List(wire::kTensorList, {1}));
  file.code().push_back(wire::Move(1, list));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMove));
}

TEST(Frees, RefusesWhatIsNotTheMethodsToFree) {
  for (const int32_t value : {-1, 4, 3, 2, 0}) {
    EXPECT_THAT(RulesOf(With(wire::Free(value))), RefusedBy(rule::kFileFree)) << value;
  }
  File file = AddFile();
  const int32_t input = file.Add(wire::Float({3}));
  file.method().inputs->push_back(input);
  file.code().push_back(wire::Free(input));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileFree));
}

// ExecuTorch drops its memory, and ends by a signal when the kernel or the caller gets to it.
TEST(Frees, RefusesOutputs) {
  File file = AddFile();
  const int32_t output = file.Add(wire::Float({3}));
  file.method().outputs->push_back(output);
  file.code().push_back(wire::Free(output));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileFree));
}

TEST(Frees, AcceptsATensorWithoutPlanOrData) {
  File file = AddFile();
  file.code().push_back(wire::Free(file.Add(wire::Float({3}))));
  EXPECT_THAT(RulesOf(file), Accepted());
}

}  // namespace
}  // namespace pteproof
