#include "cli/load/file_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/plain_user.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> PathsOf(const std::vector<FoundFile>& found) {
  std::vector<std::string> paths;
  for (const FoundFile& file : found) {
    EXPECT_THAT(file.error, IsEmpty()) << file.path;
    paths.push_back(file.path);
  }
  return paths;
}

TEST(FindFiles, TakesFilesAsTheyAreNamedAndInOrder) {
  const std::vector<std::string> names = {"z.pte", "-", "a.bin"};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre("z.pte", "-", "a.bin"));
}

TEST(FindFiles, TakesAFileOnceHoweverOftenItIsNamed) {
  const std::vector<std::string> names = {"z.pte", "a.pte", "./z.pte", ".//a.pte", "b/../z.pte"};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre("z.pte", "a.pte", "b/../z.pte"));
}

TEST(FindFiles, TellsStandardInputFromAFileOfThatName) {
  const std::vector<std::string> names = {"-", "./-"};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre("-", "./-"));
}

TEST(FindFiles, TakesAFileOnceByItsNameAndByItsFolder) {
  const TempFolder folder;
  const std::string a = folder.Write("a.pte", "");
  const std::string b = folder.Write("b.pte", "");
  const std::vector<std::string> names = {b, folder.path() + "/", folder.path() + "//a.pte"};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre(b, a));
}

// Each may have a manifest of its own beside it.
TEST(FindFiles, TakesALinkAndTheFileThatItLeadsToForTwo) {
  const TempFolder folder;
  const std::string file = folder.Write("a.pte", "");
  const std::string link = folder.path() + "/b.pte";
  std::filesystem::create_symlink(file, link);
  const std::vector<std::string> names = {folder.path()};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre(file, link));
}

TEST(FindFiles, TakesProgramsInAFolderAndBelowSorted) {
  const TempFolder folder;
  for (const char* name : {"b.pte", "a/z.bpte", "a/b/c.pte", "b.ptd", "b.manifest.json", "pte"}) {
    (void)folder.Write(name, "");
  }
  const std::string at = folder.path();
  const std::vector<std::string> names = {at};
  EXPECT_THAT(PathsOf(FindFiles(names)),
              ElementsAre(at + "/a/b/c.pte", at + "/a/z.bpte", at + "/b.pte"));
}

TEST(FindFiles, SaysThatAFolderHasNoPrograms) {
  const TempFolder folder;
  (void)folder.Write("notes.txt", "");
  const std::vector<std::string> names = {folder.path()};
  const auto found = FindFiles(names);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].path, folder.path());
  EXPECT_THAT(found[0].error, HasSubstr("no .pte or .bpte file"));
}

TEST(FindFiles, NamesEveryFolderThatCannotBeReadAndTakesTheRest) {
  const TempFolder folder;
  const std::string at = folder.path();
  for (const char* name : {"a/a.pte", "b/b.pte", "c/c.pte", "c/d/d.pte"}) {
    (void)folder.Write(name, "");
  }
  ASSERT_EQ(chmod(at.c_str(), 0755), 0);
  const std::string b = at + "/b";
  const std::string d = at + "/c/d";
  for (const std::string& closed : {b, d}) ASSERT_EQ(chmod(closed.c_str(), 0), 0);
  std::vector<FoundFile> found;
  {
    const PlainUser user;
    const std::vector<std::string> names = {at};
    found = FindFiles(names);
  }
  for (const std::string& closed : {b, d}) ASSERT_EQ(chmod(closed.c_str(), 0700), 0);
  ASSERT_THAT(found, SizeIs(4));
  EXPECT_EQ(found[0].path, at + "/a/a.pte");
  EXPECT_EQ(found[1].path, b);
  EXPECT_THAT(found[1].error, HasSubstr("the folder cannot be read: Permission denied"));
  EXPECT_EQ(found[2].path, at + "/c/c.pte");
  EXPECT_EQ(found[3].path, d);
  EXPECT_THAT(found[3].error, HasSubstr("Permission denied"));
}

// Opening it says why it cannot be read.
TEST(FindFiles, TakesALinkThatLeadsNowhere) {
  const TempFolder folder;
  const std::string link = folder.path() + "/gone.pte";
  std::filesystem::create_symlink("nowhere.pte", link);
  const std::vector<std::string> names = {folder.path()};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre(link));
}

TEST(FindFiles, EndsWhereALinkLeadsBack) {
  const TempFolder folder;
  const std::string file = folder.Write("a/b.pte", "");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() + "/a/loop");
  const std::vector<std::string> names = {folder.path()};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre(file));
}

TEST(FindFiles, DoesNotTakeAFolderThatIsNamedLikeAProgram) {
  const TempFolder folder;
  const std::string file = folder.Write("model.pte/inner.pte", "");
  const std::vector<std::string> names = {folder.path()};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre(file));
}

}  // namespace
}  // namespace pteproof
