#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "pteproof/read.h"
#include "runtime/read_bundle.h"
#include "runtime/read_data.h"
#include "tests/crafted/index_file.h"
#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

const std::filesystem::path kCollection = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "crafted";

using RuleNames = std::set<std::string>;

void AddNames(const std::vector<Finding>& findings, RuleNames& names) {
  for (const Finding& finding : findings) names.insert(std::string(finding.rule));
}

template <class Read>
RuleNames Refusal(const Read& read) {
  RuleNames names;
  if (!read.ok()) AddNames(read.error(), names);
  return names;
}

RuleNames RulesOfBundle(Bytes bytes) {
  const auto bundle = ReadBundle(bytes);
  if (!bundle.ok()) return Refusal(bundle);
  const auto program = ReadProgram(bundle.value().program);
  RuleNames names = Refusal(program);
  if (program.ok()) AddNames(CheckBundle(program.value(), bundle.value()), names);
  return names;
}

// All rules that reading the file, by its ending, ends in.
RuleNames RulesOf(const std::filesystem::path& file) {
  const std::vector<std::byte> bytes = ReadBytes(file);
  if (file.extension() == ".ptd") return Refusal(ReadDataFile(bytes));
  if (file.extension() == ".bpte") return RulesOfBundle(bytes);
  return Refusal(ReadProgram(bytes));
}

TEST(CraftedFiles, AreRefusedByTheirRuleAndNoOther) {
  const std::vector<IndexEntry> entries = ReadIndex(kCollection);
  ASSERT_GT(entries.size(), 100U);
  for (const IndexEntry& entry : entries) {
    if (entry.stage == "check" && entry.file.extension() == ".pte") continue;
    EXPECT_THAT(RulesOf(entry.file), testing::ElementsAre(entry.rule)) << entry.file;
  }
}

TEST(CraftedFiles, ThatAnswerToACheckAreReadable) {
  for (const IndexEntry& entry : ReadIndex(kCollection)) {
    if (entry.stage != "check" || entry.file.extension() != ".pte") continue;
    EXPECT_THAT(RulesOf(entry.file), testing::IsEmpty()) << entry.file;
  }
}

TEST(CraftedFiles, ThatAreLegalAreReadSilently) {
  const std::vector<IndexEntry> entries = ReadIndex(kCollection / "legal");
  ASSERT_GT(entries.size(), 20U);
  for (const IndexEntry& entry : entries) {
    EXPECT_THAT(RulesOf(entry.file), testing::IsEmpty()) << entry.file;
  }
}

TEST(CraftedFiles, StandOnSoundBases) {
  for (const char* name : {"base.pte", "base.ptd", "base.bpte"}) {
    EXPECT_THAT(RulesOf(kCollection / name), testing::IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace pteproof::crafted
