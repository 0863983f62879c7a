// What the reader says of values, instructions and methods: which, where in the file, and what is
// there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using wire::AddFile;
using wire::File;

File WithInstruction(const wire::Instruction& instruction) {
  File file = AddFile();
  file.code().push_back(instruction);
  return file;
}

std::string ToldOf(const File& file) {
  return OnlyFinding(file).explanation;
}

// Of the second instruction, the first line of the explanation.
std::string ToldOfInstruction(const wire::Instruction& instruction) {
  const Finding finding = OnlyFinding(WithInstruction(instruction));
  EXPECT_EQ(finding.method, "forward");
  EXPECT_EQ(finding.instruction, 1);
  return finding.explanation.substr(0, finding.explanation.find('\n'));
}

TEST(PartExplanations, TellWhatACallIsOf) {
  EXPECT_EQ(ToldOfInstruction(wire::Call(5, {1, 0, 3, 2, 2})),
            "The call names operator 5. The method has 1 operators.");
  EXPECT_EQ(ToldOfInstruction(wire::Call(-1, {1, 0, 3, 2, 2})),
            "The call names operator -1. The method has 1 operators.");
  EXPECT_EQ(ToldOfInstruction(wire::CallDelegate(2, {})),
            "The call names delegate 2. The method has 0 delegates.");
  EXPECT_EQ(ToldOfInstruction(wire::Call(0, {1, 99, 3, 2, 2})),
            "Argument 1 is value 99. The method has 4 values.");
  EXPECT_EQ(ToldOfInstruction({.tag = wire::kKernelCall, .target = 0}),
            "The call has no list of arguments.");
}

TEST(PartExplanations, TellWhatIsMovedWhere) {
  EXPECT_EQ(ToldOfInstruction(wire::Move(99, 1)),
            "The source of the move is value 99. The method has 4 values.");
  EXPECT_EQ(ToldOfInstruction(wire::Move(1, -2)),
            "The destination of the move is value -2. The method has 4 values.");
  EXPECT_EQ(ToldOfInstruction(wire::Move(3, 1)), "Value 3 (Int) is moved to value 1 (Tensor).");
  EXPECT_THAT(OnlyFinding(WithInstruction(wire::Move(3, 1))).values, ElementsAre(1, 3));
}

TEST(PartExplanations, TellWhatAJumpDependsOn) {
  EXPECT_EQ(ToldOfInstruction(wire::JumpFalse(3, 0)),
            "The condition of the jump is value 3, which is neither a Bool nor a tensor of bools.");
  EXPECT_EQ(ToldOfInstruction(wire::JumpFalse(77, 0)),
            "The condition of the jump is value 77. The method has 4 values.");
  EXPECT_THAT(OnlyFinding(WithInstruction(wire::JumpFalse(3, 0))).values, ElementsAre(3));
}

TEST(PartExplanations, TellWhyAValueIsNotToBeFreed) {
  EXPECT_EQ(ToldOfInstruction(wire::Free(3)), "Value 3 is freed, but it is not a tensor.");
  EXPECT_EQ(ToldOfInstruction(wire::Free(0)), "Value 0 is freed, but it is a constant.");
  EXPECT_EQ(ToldOfInstruction(wire::Free(2)),
            "Value 2 is freed, but it has a place in a bank, which lives as long as the method.");
  EXPECT_EQ(ToldOfInstruction(wire::Free(12)),
            "The operand of the free is value 12. The method has 4 values.");
  EXPECT_THAT(OnlyFinding(WithInstruction(wire::Free(0))).values, ElementsAre(0));
  File file = AddFile();
  file.value(1) = wire::Float({3});
  file.code().push_back(wire::Free(1));
  EXPECT_THAT(
      ToldOf(file),
      StartsWith("Value 1 is freed, but it is an input, and its memory belongs to the caller."));
}

TEST(PartExplanations, TellWhatAnInstructionIs) {
  EXPECT_EQ(ToldOfInstruction({.tag = 9}), "The instruction has tag 9. Known tags are 1 to 5.");
  EXPECT_EQ(ToldOfInstruction({.tag = wire::kMove, .has_table = false}),
            "The instruction has no table for its content.");
}

TEST(PartExplanations, TellWhichChainAndWhichOperator) {
  File file = AddFile();
  file.method().chains->emplace_back(std::nullopt);
  EXPECT_EQ(ToldOf(file), "Chain 1 has no list of instructions. An empty list is allowed.");
  file = AddFile();
  file.method().operators->push_back({"", "out"});
  EXPECT_EQ(ToldOf(file), "Operator 1 has no name.");
  file.method().operators->back() = {std::string(95, 'a'), "out"};
  EXPECT_THAT(RulesOf(file), Accepted()) << "99 characters with the dot";
  file.method().operators->back() = {std::string(100, 'a'), {}};
  EXPECT_EQ(ToldOf(file), "Operator 1 has a name of 100 characters. Runtimes allow 99.");
}

TEST(PartExplanations, TellWhatAValueLacks) {
  const auto of = [](const wire::Value& value) {
    File file = AddFile();
    file.Add(value);
    const Finding finding = OnlyFinding(file);
    EXPECT_THAT(finding.values, ElementsAre(4));
    return finding.explanation.substr(0, finding.explanation.find('\n'));
  };
  EXPECT_EQ(of({.tag = 0}), "Value 4 has tag 0. Known tags are 1 to 11.");
  EXPECT_EQ(of({.tag = 12}), "Value 4 has tag 12. Known tags are 1 to 11.");
  EXPECT_EQ(of({.tag = wire::kInt, .has_table = false}), "Value 4 has the tag Int, but no table.");
  EXPECT_EQ(of({.tag = wire::kIntList}), "Value 4 has the tag IntList, but no list of items.");
  EXPECT_EQ(of({.tag = wire::kString}), "Value 4 has the tag String, but no text.");
}

TEST(PartExplanations, TellWhichItemOfWhichListIsWrong) {
  File file = AddFile();
  file.Add(wire::List(wire::kTensorList, {1, 5}));
  file.Add(wire::Float({2}));
  EXPECT_EQ(ToldOf(file),
            "Item 1 of value 4 (TensorList) is 5: the tensors of a list come before the list.");
  file = AddFile();
  file.Add(wire::List(wire::kTensorList, {1, 3}));
  EXPECT_EQ(ToldOf(file),
            "Item 1 of value 4 (TensorList) is 3: that value has the kind Int, not Tensor.");
}

TEST(PartExplanations, TellWhichMethodAndWhichOfItsInputs) {
  File file = AddFile();
  wire::Method nameless = file.method();
  nameless.name.reset();
  file.methods->push_back(nameless);
  EXPECT_EQ(ToldOf(file), "Method 1 has no name.");
  file = AddFile();
  file.method().inputs->push_back(9);
  EXPECT_EQ(ToldOf(file), "Input 1 is value 9. The method has 4 values.");
  file = AddFile();
  file.method().outputs->push_back(-1);
  EXPECT_EQ(ToldOf(file), "Output 1 is value -1. The method has 4 values.");
  file = AddFile();
  file.method().inputs->push_back(0);
  EXPECT_EQ(ToldOf(file),
            "Input 1 (value 0) is a constant: an argument of the caller would overwrite it for all "
            "later calls.");
  EXPECT_THAT(OnlyFinding(file).values, ElementsAre(0));
  file = AddFile();
  file.method().inputs->push_back(file.Add(wire::List(wire::kIntList, {})));
  EXPECT_EQ(ToldOf(file),
            "Input 1 (value 4) is a list, and runtimes do not accept lists as inputs.");
  file = AddFile();
  file.method().operators.reset();
  file.code().clear();
  EXPECT_EQ(ToldOf(file), "The method has no list of operators. Every method has one.");
}

TEST(PartExplanations, TellWhichBankHasNoDevice) {
  for (const int32_t bank : {0, 2, -1}) {
    File file = AddFile();
    file.method().bank_devices = {wire::BankDevice{.bank = bank}};
    EXPECT_EQ(ToldOf(file), "A device is given for bank " + std::to_string(bank) +
                                ". The method has 1 banks, counted from 1.");
  }
}

// The finding's bytes are those of the number that is wrong.
TEST(PartExplanations, TellWhereABanksSizeStands) {
  File file = AddFile();
  file.method().bank_sizes = {0, 1024, -77};
  const Finding finding = OnlyFinding(file);
  ASSERT_TRUE(finding.bytes.has_value());
  ASSERT_EQ(finding.bytes->hi - finding.bytes->lo, 8U);
  const auto bytes = wire::Build(file);
  int64_t there = 0;
  std::memcpy(&there, bytes.data() + finding.bytes->lo, sizeof there);
  EXPECT_EQ(there, -77);
}

TEST(PartExplanations, TellWhichNamedDataAreWrong) {
  File file = AddFile();
  file.named_data = {wire::NamedSegment{"key", 0}, wire::NamedSegment{{}, 0}};
  EXPECT_EQ(ToldOf(file), "Entry 1 of the named data has no key.");
  file.named_data = {wire::NamedSegment{"key", 0}, wire::NamedSegment{"key", 0}};
  EXPECT_THAT(ToldOf(file), StartsWith("Two entries of the named data have the key \"key\".\n"));
}

TEST(PartExplanations, TellWhatOverlapsTheTables) {
  File file = AddFile();
  std::vector<std::byte> bytes = wire::Build(file);
  uint64_t base = 0;
  uint64_t tables = 0;
  std::memcpy(&tables, bytes.data() + 16, sizeof tables);
  std::memcpy(&base, bytes.data() + 24, sizeof base);
  ASSERT_GE(base, tables);
  const uint64_t exact = base;  // the tables may end where the segments begin
  std::memcpy(bytes.data() + 16, &exact, sizeof exact);
  EXPECT_THAT(RulesOf(bytes), Accepted());
  const uint64_t over = base + 1;
  std::memcpy(bytes.data() + 16, &over, sizeof over);
  const auto read = ReadProgram(bytes);
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().front().explanation,
              testing::HasSubstr("it begins at byte " + std::to_string(base) +
                                 ", inside the flatbuffer, which ends at " + std::to_string(over)));
}

// A method without a name has all its other faults told, too.
TEST(PartExplanations, TellOfAllThatIsWrongWithANamelessMethod) {
  File file = AddFile();
  file.method().name.reset();
  file.method().bank_sizes = {-5, 1024};
  EXPECT_THAT(RulesOf(file), ElementsAre(rule::kFileMethodName, rule::kFileBankSize));
}

// The header says where the segments end, however many bytes follow.
TEST(PartExplanations, TellOfASegmentThatEndsBehindAllSegments) {
  File file = AddFile();
  file.segments = {wire::Segment{0, 12}};
  auto bytes = wire::Build(file);
  bytes.resize(bytes.size() + 100);
  EXPECT_THAT(RulesOf(bytes), Accepted());
  file.segments = {wire::Segment{0, 13}};
  bytes = wire::Build(file);
  bytes.resize(bytes.size() + 100);
  EXPECT_THAT(RulesOf(bytes), testing::Contains(rule::kFileSegments));
}

TEST(PartExplanations, TellOfTwoNamelessMethodsThatTheyHaveNoName) {
  File file = AddFile();
  file.method().name.reset();
  file.methods->push_back(file.method());
  EXPECT_THAT(RulesOf(file), ElementsAre(rule::kFileMethodName, rule::kFileMethodName));
}

}  // namespace
}  // namespace pteproof
