#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "runtime/read_bundle.h"
#include "tests/crafted/index_file.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kFolder = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "crafted";

std::set<std::string> ErrorsOf(const Program& program) {
  std::set<std::string> rules;
  for (const Finding& finding : Check(program).findings) {
    if (finding.severity == Severity::kError) rules.insert(std::string(finding.rule));
  }
  return rules;
}

// "note not-provable", for each finding of whatever severity; "unreadable" where there is no
// program. A bundle stands for the program inside.
std::set<std::string> RemarksOn(const std::filesystem::path& file) {
  const std::vector<std::byte> bytes = ReadBytes(file);
  Bytes inside = bytes;
  if (file.extension() == ".bpte") inside = ReadBundle(bytes).value().program;
  const auto program = ReadProgram(inside);
  if (!program.ok()) return {"unreadable"};
  std::set<std::string> remarks;
  for (const Finding& finding : Check(program.value()).findings) {
    remarks.insert(fmt::format("{} {}", Name(finding.severity), finding.rule));
  }
  return remarks;
}

TEST(CraftedPlans, AreRefusedByTheirRuleAndNoOther) {
  int tried = 0;
  for (const IndexEntry& entry : ReadIndex(kFolder)) {
    if (entry.stage != "check" || entry.file.extension() != ".pte") continue;
    const std::vector<std::byte> bytes = ReadBytes(entry.file);
    const auto program = ReadProgram(bytes);
    ASSERT_TRUE(program.ok()) << entry.file;
    EXPECT_THAT(ErrorsOf(program.value()), testing::ElementsAre(entry.rule)) << entry.file;
    ++tried;
  }
  EXPECT_EQ(tried, 3);
}

// What is said of legal files, none of it an error. A delegate's call does not say which of its
// arguments it writes; a buffer without a name may be another method's; a gap of 4 GiB is memory
// that is paid for and never used.
TEST(CraftedPlans, ThatAreLegalGetOnlyTheRemarksThatTheyAreDue) {
  const std::map<std::string, std::string> due = {
      {"delegate-without-compile-specs.pte", "note not-provable"},
      {"delegates-share-segment.pte", "note not-provable"},
      {"in-place-returns-other-value.pte", "note not-provable"},
      {"in-place-returns-self.pte", "note not-provable"},
      {"operator-without-overload.pte", "note not-provable"},
      {"placement-above-4-gib.pte", "warning phantom-slot"},
  };
  EXPECT_THAT(RemarksOn(kFolder / "base.pte"), IsEmpty());
  EXPECT_THAT(RemarksOn(kFolder / "base.bpte"), IsEmpty());
  size_t remarked = 0;
  for (const IndexEntry& entry : ReadIndex(kFolder / "legal")) {
    if (entry.file.extension() == ".ptd") continue;
    std::set<std::string> expected;
    if (const auto it = due.find(entry.file.filename().string()); it != due.end()) {
      expected.insert(it->second);
      ++remarked;
    }
    EXPECT_EQ(RemarksOn(entry.file), expected) << entry.file;
  }
  EXPECT_EQ(remarked, due.size());
}

class PeerCrashes : public testing::TestWithParam<std::filesystem::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PeerCrashes);

// Files that end other loaders' processes: each is refused, or accepted for the reason that stands
// here. All that are accepted are safe.
TEST_P(PeerCrashes, AreRefusedOrAcceptedForAReason) {
  const std::map<std::string, std::string_view> accepted = {
      {"c03.pte", "an input and the output are unplanned: the caller sets their memory first"},
      {"c04.pte", "an input and the output are unplanned: the caller sets their memory first"},
      {"c17.pte", "the operands' element types may not combine, which is no matter of the plan"},
  };
  constexpr std::string_view kCallersMemory =
      "before each call the caller sets the memory of inputs and outputs that are not planned";
  size_t programs = 0;
  for (const auto& file : FilesBelow(GetParam())) {
    if (file.extension() != ".pte") continue;
    ++programs;
    const std::vector<std::byte> bytes = ReadBytes(file);
    const auto program = ReadProgram(bytes);
    const auto reason = accepted.find(file.filename().string());
    ASSERT_EQ(program.ok(), reason != accepted.end()) << file;
    if (!program.ok()) {
      EXPECT_THAT(program.error(), Not(IsEmpty())) << file;
      continue;
    }
    const Report report = Check(program.value());
    EXPECT_THAT(report.verdicts, Each(Verdict::kSafe)) << file;
    const bool told =
        std::ranges::find(report.assumptions, kCallersMemory) != report.assumptions.end();
    EXPECT_EQ(told, reason->second.find("unplanned") != std::string_view::npos) << file;
  }
  EXPECT_GE(programs, 17U);
}

INSTANTIATE_TEST_SUITE_P(Collection, PeerCrashes,
                         testing::ValuesIn(InCollection("corpus/peer-crashes")), NameOfFolder);

}  // namespace
}  // namespace pteproof::crafted
