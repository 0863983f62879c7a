#include "cli/file_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

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
  const std::vector<std::string> names = {"z.pte", "-", "a.bin", "z.pte"};
  EXPECT_THAT(PathsOf(FindFiles(names)), ElementsAre("z.pte", "-", "a.bin", "z.pte"));
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
