// Failing cases as folders: they come back as they were written, and those that failed once pass.
#include "properties/differential/stored_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "properties/differential/settings.h"
#include "properties/generators/draw.h"
#include "properties/oracles/recorded_calls.h"
#include "reference/graph/print.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(PTEPROOF_CORPUS_DIR "/cases")) {
    if (entry.is_directory()) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

class StoredCasesTest : public testing::TestWithParam<std::string> {};

TEST_P(StoredCasesTest, PassNow) {
  const auto stored = ReadStoredCase(PTEPROOF_CORPUS_DIR "/cases/" + GetParam());
  ASSERT_TRUE(stored.ok()) << stored.error();
  const Setting setting = SettingOf(stored.value().setting);
  const CaseVerdict verdict = RunCase(stored.value().c, setting.options, setting.ways);
  EXPECT_EQ(verdict.fault.explanation, "");
  EXPECT_FALSE(verdict.refused);
}

INSTANTIATE_TEST_SUITE_P(Corpus, StoredCasesTest, testing::ValuesIn(CaseNames()),
                         [](const auto& name) { return name.param; });

std::string WriteCase(const TempFolder& folder, const StoredCase& stored) {
  std::string path;
  for (const auto& [name, bytes] : FilesOf(stored)) {
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    path = folder.Write(name, std::string(text, bytes.size()));
  }
  return fs::path(path).parent_path();
}

TEST(StoredCaseTest, ComesBackAsItWasWritten) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const StoredCase stored = {generators::BuildCase(generators::DrawCase(seed)), seed};
    const TempFolder folder;
    const auto read = ReadStoredCase(WriteCase(folder, stored));
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value().setting, seed);
    EXPECT_EQ(graph::Print(read.value().c.module), graph::Print(stored.c.module));
    ASSERT_EQ(read.value().c.calls.size(), stored.c.calls.size());
    for (size_t k = 0; k < stored.c.calls.size(); ++k) {
      EXPECT_EQ(read.value().c.calls[k].method, stored.c.calls[k].method);
      EXPECT_TRUE(SameData(read.value().c.calls[k].inputs, stored.c.calls[k].inputs));
    }
  }
}

TEST(StoredCaseTest, SaysWhichFileIsMissing) {
  const TempFolder folder;
  const std::string path =
      fs::path(folder.Write("case.module", "method m() {\n  return\n}\n")).parent_path();
  const auto read = ReadStoredCase(path);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().find("setting.txt"), std::string::npos) << read.error();
}

}  // namespace
}  // namespace pteproof
