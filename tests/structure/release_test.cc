// What a release says of itself in several files agrees: the version, the verbs, the scripts that
// workflows call.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "pteproof/version.h"
#include "tests/structure/source_rules.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

std::string TextAt(const std::string& path) {
  return ReadText(fs::path(PTEPROOF_SOURCE_DIR) / path);
}

// The first group of every match.
std::vector<std::string> GroupsIn(const std::string& text, const std::string& expression) {
  const std::regex regex(expression);
  std::vector<std::string> groups;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    groups.push_back((*match)[1].str());
  }
  return groups;
}

std::vector<fs::path> Workflows() {
  return FilesBelow(fs::path(PTEPROOF_SOURCE_DIR) / ".github");
}

TEST(Release, HasItsVersionInTheHeaderAlone) {
  const std::string build = TextAt("CMakeLists.txt");
  EXPECT_NE(build.find("file(STRINGS ${version_header}"), std::string::npos);
  EXPECT_NE(build.find("project(pteproof VERSION ${version} "), std::string::npos);
  const std::string package = TextAt("pyproject.toml");
  EXPECT_NE(package.find("dynamic = [\"version\"]"), std::string::npos);
  EXPECT_NE(package.find("input = \"include/pteproof/version.h\""), std::string::npos);
  for (const std::string* text : {&build, &package}) {
    EXPECT_EQ(text->find(kVersion), std::string::npos);
  }
}

TEST(Release, IsCitedByItsVersion) {
  EXPECT_EQ(GroupsIn(TextAt("CITATION.cff"), "\nversion: (\\S+)"),
            std::vector<std::string>{std::string(kVersion)});
}

TEST(Release, HasASectionInTheChangelogThatIsTheNewest) {
  const auto versions = GroupsIn(TextAt("CHANGELOG.md"), "\n## \\[([0-9.]+)\\] - ");
  ASSERT_FALSE(versions.empty());
  EXPECT_EQ(versions.front(), kVersion);
}

TEST(Release, HasASecurityPolicyForEveryVerb) {
  const std::string policy = TextAt("SECURITY.md");
  const auto verbs = GroupsIn(TextAt("docs/reference/verbs.md"), "\n## ([a-z]+)\n");
  ASSERT_GE(verbs.size(), 19U);
  for (const std::string& verb : verbs) {
    if (verb == "help") continue;  // reads nothing
    EXPECT_NE(policy.find("`" + verb + "`"), std::string::npos) << verb;
  }
}

TEST(Release, HasWorkflowsWhoseScriptsExist) {
  size_t calls = 0;
  for (const fs::path& workflow : Workflows()) {
    for (const std::string& script : GroupsIn(ReadText(workflow), "run: (scripts/\\S+)")) {
      ++calls;
      EXPECT_TRUE(fs::is_regular_file(fs::path(PTEPROOF_SOURCE_DIR) / script)) << script;
    }
  }
  EXPECT_GE(calls, 3U);
}

// Also each label that CMake knows, so that no test is in no part.
TEST(Release, TestsEachPartInAJobOfItsOwn) {
  const std::string parts = GroupsIn(TextAt("scripts/test"), "\nparts=\\(([a-z ]+)\\)").front();
  std::string jobs =
      GroupsIn(TextAt(".github/workflows/test.yml"), "\n +part: \\[([a-z, ]+)\\]").front();
  std::erase(jobs, ',');
  EXPECT_EQ(jobs, parts);
  const std::string labels =
      GroupsIn(TextAt("tests/CMakeLists.txt"), "foreach\\(label suite ([a-z ]+)\\)").front();
  EXPECT_EQ("sanitizers " + labels, parts);
}

// A token that can write is for the job that writes alone.
TEST(Release, HasWorkflowsThatReadOnlyUnlessAJobNeedsMore) {
  for (const fs::path& file : Workflows()) {
    if (file.parent_path().filename() != "workflows") continue;
    EXPECT_NE(ReadText(file).find("\npermissions:\n  contents: read\n"), std::string::npos) << file;
  }
}

TEST(Release, NamesNoPathOfOneMachineInItsWorkflows) {
  for (const fs::path& file : Workflows()) {
    EXPECT_TRUE(PathViolations({file.filename().string(), ReadText(file)}).empty()) << file;
  }
}

}  // namespace
}  // namespace pteproof
