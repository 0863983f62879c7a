// The project's own sources keep the house's rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/source_rules.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFolders = {
    "include", "base",  "reference", "runtime", "meaning", "planner", "properties",
    "api",     "capi",  "fuzz",      "cli",     "python",  "bench",   "tests",
    "scripts", "cmake", "checker",   "abi",     "web",     "editors", ".ci"};

bool IsCpp(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cc";
}

// Everything that people wrote as text: sources, scripts and build files, without compiled
// leftovers.
std::vector<SourceFile> AllText() {
  const fs::path root = PTEPROOF_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* folder : kFolders) {
    for (const fs::path& path : FilesBelow(root / folder)) {
      if (path.extension() == ".pyc") continue;
      files.push_back({path.lexically_relative(root).generic_string(), ReadText(path)});
    }
  }
  return files;
}

std::vector<SourceFile> CppSources() {
  std::vector<SourceFile> files = AllText();
  std::erase_if(files, [](const SourceFile& file) { return !IsCpp(file.path); });
  return files;
}

// One violation a line.
template <class Rule>
std::string ViolationsIn(const std::vector<SourceFile>& files, Rule rule) {
  std::string all;
  for (const SourceFile& file : files) {
    for (const std::string& violation : rule(file)) all += violation + "\n";
  }
  return all;
}

// Tools leave crashes, logs and profiles where they were called.
TEST(Tree, HasOnlyWhatBelongsThereAtItsTop) {
  std::set<std::string> names(kFolders.begin(), kFolders.end());
  names.insert({"corpus", "docs", "CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md",
                "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md",
                "SECURITY.md", "action.yml", "examples", "mkdocs.yml", "pyproject.toml"});
  for (const auto& entry : fs::directory_iterator(PTEPROOF_SOURCE_DIR)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && name != "build") EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(Tree, HoldsTheFloorsSources) {
  EXPECT_GE(CppSources().size(), 30U);
}

TEST(Tree, HasNoIncludeThatPointsUpwards) {
  RecordProperty("slow", "reads all sources");
  EXPECT_EQ(ViolationsIn(CppSources(), IncludeViolations), "");
}

TEST(Tree, HasAtMostSixteenPublicHeadersOfCppAndOneOfC) {
  EXPECT_EQ(ViolationsIn(CppSources(), PublicHeaderViolations), "");
  EXPECT_LE(FilesBelow(fs::path(PTEPROOF_SOURCE_DIR) / "include").size(), 17U);
}

TEST(Tree, HasNoFoldersThatIncludeEachOther) {
  RecordProperty("slow", "reads all sources");
  EXPECT_THAT(CircleViolations(CppSources()), testing::IsEmpty());
}

TEST(Tree, HasNoLongFileAndNoLongLine) {
  RecordProperty("slow", "reads all sources");
  EXPECT_EQ(ViolationsIn(CppSources(), LengthViolations), "");
}

TEST(Tree, HasNoLeftOvers) {
  RecordProperty("slow", "reads all sources");
  EXPECT_EQ(ViolationsIn(AllText(), LeftOverViolations), "");
}

TEST(Tree, NamesNoPathOfOneMachine) {
  RecordProperty("slow", "reads all sources");
  EXPECT_EQ(ViolationsIn(AllText(), PathViolations), "");
}

TEST(Tree, GivesTensorsMemoryInOnePlace) {
  EXPECT_EQ(ViolationsIn(CppSources(), MemoryViolations), "");
}

TEST(Tree, AsksTheSystemInOnePlace) {
  EXPECT_EQ(ViolationsIn(CppSources(), SystemViolations), "");
}

TEST(Tree, NamesFilesInOneEncoding) {
  EXPECT_EQ(ViolationsIn(CppSources(), FileNameViolations), "");
}

}  // namespace
}  // namespace pteproof
