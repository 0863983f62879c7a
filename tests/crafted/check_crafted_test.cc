#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "properties/check.h"
#include "runtime/read_program.h"
#include "tests/crafted/index_file.h"
#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "crafted";

std::set<std::string> ErrorsOf(const std::filesystem::path& file) {
  const std::vector<std::byte> bytes = ReadBytes(file);
  const auto program = ReadProgram(bytes);
  if (!program.ok()) return {"unreadable"};
  std::set<std::string> rules;
  for (const Finding& finding : Check(program.value()).findings) {
    if (finding.severity == Severity::kError) rules.insert(std::string(finding.rule));
  }
  return rules;
}

TEST(CraftedPlans, AreRefusedByTheirRuleAndNoOther) {
  int tried = 0;
  for (const IndexEntry& entry : ReadIndex(kFolder)) {
    if (entry.stage != "check" || entry.file.extension() != ".pte") continue;
    EXPECT_THAT(ErrorsOf(entry.file), testing::ElementsAre(entry.rule)) << entry.file;
    ++tried;
  }
  EXPECT_EQ(tried, 3);
}

TEST(CraftedPlans, ThatAreLegalHaveNoError) {
  EXPECT_THAT(ErrorsOf(kFolder / "base.pte"), testing::IsEmpty());
  for (const IndexEntry& entry : ReadIndex(kFolder / "legal")) {
    if (entry.file.extension() != ".pte") continue;
    EXPECT_THAT(ErrorsOf(entry.file), testing::IsEmpty()) << entry.file;
  }
}

}  // namespace
}  // namespace pteproof::crafted
