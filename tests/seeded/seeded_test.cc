// Every seeded bug is one: the sound reader refuses a file by a named rule, and the reader without
// that check breaks a promise on the same file, which the fuzz target sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>

#include "fuzz/seeded/bugs.h"
#include "fuzz/targets/targets.h"
#include "pteproof/read.h"
#include "runtime/file_rules.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using reader::Bug;

constexpr const char* kSanitizer = "AddressSanitizer|runtime error";

struct SeededCase {
  Bug bug = Bug::kNone;
  std::string_view file;  // in corpus/crafted
  std::string_view rule;  // that refuses it while the check is there
  const char* seen = "";  // what the target says without it
};

constexpr auto kCases = std::to_array<SeededCase>({
    {Bug::kProgramSize, "file-ends-inside-tables.pte", rule::kFileHeader, kSanitizer},
    {Bug::kSegmentEnd, "segment-past-end.pte", rule::kFileSegments, kSanitizer},
    {Bug::kSegmentIndex, "delegate-segment-without-segments.pte", rule::kFileDelegate, kSanitizer},
    {Bug::kStoredOffset, "constant-offset-wraps.pte", rule::kFileConstantData, kSanitizer},
    {Bug::kBudget, "list-shared-by-many-values.pte", rule::kFileAmplification,
     "memory is at most 16 x the input"},
    {Bug::kListItemIndex, "int-list-item-out-of-range.pte", rule::kFileListItem, kSanitizer},
    {Bug::kListItemKind, "int-list-item-is-tensor.pte", rule::kFileListItem,
     "items of an IntList are Ints"},
    {Bug::kElementType, "tensor-type-30.pte", rule::kFileTensorType, "element types are known"},
    {Bug::kRank, "tensor-rank-17.pte", rule::kFileTensorShape,
     "tensors have at most 16 dimensions"},
    {Bug::kSizeSign, "tensor-size-negative.pte", rule::kFileTensorShape, "sizes are not negative"},
    {Bug::kDimOrderLength, "external-dim-order-too-short.pte", rule::kFileDimOrder,
     "an order names all dimensions"},
    {Bug::kDimOrder, "dim-order-repeats-a-dimension.pte", rule::kFileDimOrder,
     "orders name a dimension once"},
    {Bug::kByteCount, "tensor-sizes-wrap-64-bits.pte", rule::kFileTensorShape, kSanitizer},
    {Bug::kDataIndex, "initial-value-index-out-of-range.pte", rule::kFileMutableData, kSanitizer},
    {Bug::kDataLength, "inline-constant-too-short.pte", rule::kFileConstantData,
     "stored data are whole"},
    {Bug::kBankIndex, "placement-in-bank-past-last.pte", rule::kFileTensorMemory,
     "banks are in range"},
    {Bug::kPlacementEnd, "placement-end-wraps-64-bits.pte", rule::kFileTensorMemory,
     "placements have an end"},
    {Bug::kDeviceBank, "device-of-bank-past-last.pte", rule::kFileDevice,
     "devices are of banks that there are"},
    {Bug::kIoIndex, "output-out-of-range.pte", rule::kFileIo, "values are in range"},
    {Bug::kOperatorIndex, "operator-index-out-of-range.pte", rule::kFileInstruction, kSanitizer},
    {Bug::kDelegateIndex, "delegate-index-out-of-range.pte", rule::kFileInstruction,
     "delegates are in range"},
    {Bug::kArgumentIndex, "argument-out-of-range.pte", rule::kFileArguments, kSanitizer},
    {Bug::kMoveIndex, "move-from-value-out-of-range.pte", rule::kFileMove, kSanitizer},
    {Bug::kJumpTarget, "jump-past-end.pte", rule::kFileJump, "jumps stay in the method"},
});

std::string_view NameOf(Bug bug) {
  const auto row = std::ranges::find(fuzz::AllBugs(), bug, &fuzz::BugRow::bug);
  return row == fuzz::AllBugs().end() ? "none" : row->name;
}

[[maybe_unused]] void PrintTo(const SeededCase& seeded, std::ostream* os) {
  *os << NameOf(seeded.bug);
}

class SeededBug : public testing::TestWithParam<SeededCase> {
 protected:
  void SetUp() override {
    const std::filesystem::path crafted = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "crafted";
    file_ = ReadBytes(crafted / GetParam().file);
  }
  void TearDown() override { fuzz::SeedBug(Bug::kNone); }

  std::vector<std::byte> file_;
};

TEST_P(SeededBug, IsACheckThatRefusesItsFile) {
  const auto program = ReadProgram(file_);
  ASSERT_FALSE(program.ok());
  for (const Finding& finding : program.error()) EXPECT_EQ(finding.rule, GetParam().rule);
  EXPECT_EQ(fuzz::FuzzRead(file_), fuzz::Stage::kRefused);
}

TEST_P(SeededBug, BreaksAPromiseThatTheTargetSees) {
  fuzz::SeedBug(GetParam().bug);
  EXPECT_DEATH(static_cast<void>(fuzz::FuzzRead(file_)), testing::ContainsRegex(GetParam().seen));
}

INSTANTIATE_TEST_SUITE_P(Reader, SeededBug, testing::ValuesIn(kCases), [](const auto& seeded) {
  std::string name(NameOf(seeded.param.bug));
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(SeededBugs, AreNamedAndShownToBeRealOnceEach) {
  ASSERT_EQ(fuzz::AllBugs().size() + 1, static_cast<size_t>(Bug::kCount));
  ASSERT_EQ(kCases.size(), fuzz::AllBugs().size());
  for (size_t b = 0; b < kCases.size(); ++b) {
    EXPECT_EQ(static_cast<size_t>(fuzz::AllBugs()[b].bug), b + 1) << fuzz::AllBugs()[b].name;
    EXPECT_EQ(static_cast<size_t>(kCases[b].bug), b + 1) << kCases[b].file;
    EXPECT_EQ(fuzz::BugNamed(fuzz::AllBugs()[b].name), fuzz::AllBugs()[b].bug);
  }
}

TEST(SeededBugs, HaveARowEachInTheDocs) {
  const std::string page =
      ReadText(std::filesystem::path(PTEPROOF_SOURCE_DIR) / "docs/explanation/evidence/fuzzing.md");
  for (const fuzz::BugRow& row : fuzz::AllBugs()) {
    EXPECT_THAT(page, testing::HasSubstr("| " + std::string(row.name) + " |"));
  }
}

// A reader that has a bug must still read what every reader does.
TEST(SeededBugs, LeaveSoundFilesReadable) {
  const std::filesystem::path corpus = PTEPROOF_CORPUS_DIR;
  const std::vector<std::byte> sound = ReadBytes(corpus / "crafted/base.pte");
  for (const fuzz::BugRow& row : fuzz::AllBugs()) {
    fuzz::SeedBug(row.bug);
    EXPECT_EQ(fuzz::FuzzRead(sound), fuzz::Stage::kRead) << row.name;
  }
  fuzz::SeedBug(Bug::kNone);
}

}  // namespace
}  // namespace pteproof
