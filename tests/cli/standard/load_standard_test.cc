// Where a config is taken from, and which word counts.
#include "cli/standard/load_standard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(FindConfig, TakesTheNearestFolderThatHasOne) {
  const TempFolder folder;
  (void)folder.Write("repo/.git/HEAD", "");
  (void)folder.Write("repo/a/b/m.pte", "");
  const std::string inner = folder.path() + "/repo/a/b";
  EXPECT_EQ(FindConfig(inner, ""), "");
  const std::string outer = folder.Write("repo/pteproof.toml", "");
  EXPECT_EQ(FindConfig(inner, ""), outer);
  const std::string near = folder.Write("repo/a/pteproof.toml", "");
  EXPECT_EQ(FindConfig(inner, ""), near);
}

TEST(FindConfig, StopsAtARepositorysRootAndAtHome) {
  const TempFolder folder;
  const std::string outside = folder.Write("pteproof.toml", "");
  (void)folder.Write("repo/a/m.pte", "");
  EXPECT_EQ(FindConfig(folder.path() + "/repo/a", ""), outside);
  EXPECT_EQ(FindConfig(folder.path() + "/repo/a", folder.path() + "/repo"), "");
  EXPECT_EQ(FindConfig(folder.path() + "/repo/a", folder.path()), outside);
  (void)folder.Write("repo/.git", "gitdir: elsewhere");  // as a worktree has it
  EXPECT_EQ(FindConfig(folder.path() + "/repo/a", ""), "");
}

TEST(FindConfig, TakesAFileOnly) {
  const TempFolder folder;
  (void)folder.Write("repo/.git/HEAD", "");
  fs::create_directory(folder.path() + "/repo/pteproof.toml");
  EXPECT_EQ(FindConfig(folder.path() + "/repo", ""), "");
}

TEST(LoadStandard, IsNothingUnlessSomethingAsksForOne) {
  StandardChoice choice;
  choice.no_config = true;
  EXPECT_FALSE(LoadStandard(choice).value().has_value());
  choice.max_waste = {"5%"};
  EXPECT_TRUE(LoadStandard(choice).value().has_value());
  EXPECT_EQ(LoadStandard(choice).value()->source, "the command line");
}

TEST(LoadStandard, TakesAFlagOverTheConfigsKey) {
  const TempFolder folder;
  StandardChoice choice;
  choice.config = folder.Write("c.toml", R"(select = ["plan-waste"]
ignore = ["plan-waste"]
fail-on = ["error"]
max-bytes = 1
max-waste = 1
baseline = "b.json"
)");
  auto standard = *LoadStandard(choice).value();
  EXPECT_THAT(*standard.select, ElementsAre("plan-waste"));
  EXPECT_EQ(standard.select_source, choice.config);
  EXPECT_EQ(standard.baseline, folder.path() + "/b.json");
  choice.select = {{"self-copy"}};
  choice.ignore = {{"phantom-slot"}};
  choice.fail_on = {{"warning"}};
  choice.max_bytes = {"2"};
  choice.max_waste = {"3%"};
  choice.baseline = "other.json";
  standard = *LoadStandard(choice).value();
  EXPECT_THAT(*standard.select, ElementsAre("self-copy"));
  EXPECT_EQ(standard.select_source, "--select");
  EXPECT_THAT(standard.ignore, ElementsAre("phantom-slot"));
  EXPECT_EQ(standard.ignore_source, "--ignore");
  EXPECT_TRUE(standard.fail_on.warning && !standard.fail_on.error);
  EXPECT_EQ(standard.max_bytes.at(0).most, 2U);
  EXPECT_TRUE(standard.max_waste.at(0).percent);
  EXPECT_EQ(standard.baseline, "other.json");
  choice.fail_on = {{"none"}};
  EXPECT_FALSE(LoadStandard(choice).value()->fail_on.warning);
}

TEST(LoadStandard, ReadsNoBaselineIfOneIsWritten) {
  const TempFolder folder;
  StandardChoice choice;
  choice.config = folder.Write("c.toml", "baseline = \"b.json\"");
  choice.write_baseline = "b.json";
  EXPECT_EQ(LoadStandard(choice).value()->baseline, "");
}

TEST(LoadStandard, ExplainsAConfigThatCannotBeUsed) {
  const TempFolder folder;
  StandardChoice choice;
  choice.config = folder.path() + "/none.toml";
  EXPECT_EQ(LoadStandard(choice).error().code, ExitCode::kUnreadable);
  choice.config = folder.Write("c.toml", "policy = 1");
  EXPECT_EQ(LoadStandard(choice).error().code, ExitCode::kUsage);
  EXPECT_THAT(LoadStandard(choice).error().why, HasSubstr("c.toml:1: /policy: is 1;"));
  choice.config = folder.Write("c.toml", "");
  choice.max_bytes = {"many"};
  EXPECT_THAT(LoadStandard(choice).error().why, HasSubstr("--max-bytes: 'many' is not a size"));
}

TEST(NameIn, IsThePathFromTheFolder) {
  const TempFolder folder;
  const std::string file = folder.Write("a/m.pte", "");
  EXPECT_EQ(NameIn(folder.path(), file), "a/m.pte");
  EXPECT_EQ(NameIn(folder.path() + "/a", folder.path() + "/a/./m.pte"), "m.pte");
  EXPECT_EQ(NameIn(folder.path() + "/b", file), "../a/m.pte");
  EXPECT_EQ(NameIn(folder.path(), "-"), "-");
  fs::create_directory_symlink(folder.path() + "/a", folder.path() + "/link");
  EXPECT_EQ(NameIn(folder.path(), folder.path() + "/link/m.pte"), "a/m.pte");
}

}  // namespace
}  // namespace pteproof
