#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "runtime/read_bundle.h"
#include "runtime/read_data.h"
#include "runtime/read_program.h"
#include "tests/crafted/index_file.h"
#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "crafted";

using Names = std::set<std::string>;

void AddNames(const std::vector<Finding>& findings, Names& names) {
  for (const Finding& finding : findings) names.insert(std::string(finding.rule));
}

template <class Read>
Names Refusal(const Read& read) {
  Names names;
  if (!read.ok()) AddNames(read.error(), names);
  return names;
}

Names RulesOfBundle(Bytes bytes) {
  const auto bundle = ReadBundle(bytes);
  if (!bundle.ok()) return Refusal(bundle);
  const auto program = ReadProgram(bundle.value().program);
  Names names = Refusal(program);
  if (program.ok()) AddNames(CheckBundle(program.value(), bundle.value()), names);
  return names;
}

// All rules that reading the file, by its ending, ends in.
Names RulesOf(const std::filesystem::path& file) {
  const std::vector<std::byte> bytes = ReadBytes(file);
  if (file.extension() == ".ptd") return Refusal(ReadDataFile(bytes));
  if (file.extension() == ".bpte") return RulesOfBundle(bytes);
  return Refusal(ReadProgram(bytes));
}

TEST(CraftedFiles, AreRefusedByTheirRuleAndNoOther) {
  const std::vector<IndexEntry> entries = ReadIndex(kFolder);
  ASSERT_GT(entries.size(), 100U);
  for (const IndexEntry& entry : entries) {
    if (entry.stage == "check" && entry.file.extension() == ".pte") continue;
    EXPECT_THAT(RulesOf(entry.file), testing::ElementsAre(entry.rule)) << entry.file;
  }
}

TEST(CraftedFiles, ThatAnswerToACheckAreReadable) {
  for (const IndexEntry& entry : ReadIndex(kFolder)) {
    if (entry.stage != "check" || entry.file.extension() != ".pte") continue;
    EXPECT_THAT(RulesOf(entry.file), testing::IsEmpty()) << entry.file;
  }
}

TEST(CraftedFiles, ThatAreLegalAreReadSilently) {
  const std::vector<IndexEntry> entries = ReadIndex(kFolder / "legal");
  ASSERT_GT(entries.size(), 20U);
  for (const IndexEntry& entry : entries) {
    EXPECT_THAT(RulesOf(entry.file), testing::IsEmpty()) << entry.file;
  }
}

TEST(CraftedFiles, StandOnSoundBases) {
  for (const char* name : {"base.pte", "base.ptd", "base.bpte"}) {
    EXPECT_THAT(RulesOf(kFolder / name), testing::IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace pteproof::crafted
