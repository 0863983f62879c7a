#include "cli/standard/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

TEST(Glob, WithoutASlashFitsTheNameInEveryFolder) {
  EXPECT_TRUE(GlobFits("*.pte", "a.pte"));
  EXPECT_TRUE(GlobFits("*.pte", "models/deep/a.pte"));
  EXPECT_TRUE(GlobFits("a?.pte", "models/a1.pte"));
  EXPECT_FALSE(GlobFits("*.pte", "a.pte.json"));
  EXPECT_FALSE(GlobFits("models", "models/a.pte"));
}

TEST(Glob, WithASlashFitsTheWholePath) {
  EXPECT_TRUE(GlobFits("models/*.pte", "models/a.pte"));
  EXPECT_FALSE(GlobFits("models/*.pte", "models/deep/a.pte"));
  EXPECT_FALSE(GlobFits("models/*.pte", "old/models/a.pte"));
  EXPECT_FALSE(GlobFits("models/a?.pte", "models/a/.pte"));
}

TEST(Glob, TakesTwoStarsForAnyNumberOfFolders) {
  EXPECT_TRUE(GlobFits("models/**/a.pte", "models/a.pte"));
  EXPECT_TRUE(GlobFits("models/**/a.pte", "models/x/y/a.pte"));
  EXPECT_TRUE(GlobFits("**/x/*.pte", "x/a.pte"));
  EXPECT_TRUE(GlobFits("models/**", "models/x/a.pte"));
  EXPECT_FALSE(GlobFits("models/**/a.pte", "models/x/b.pte"));
}

TEST(Glob, EndsSoonWhateverThePattern) {
  std::string glob = "**";
  std::string path = "a";
  for (int i = 0; i < 60; ++i) {
    glob += "/**/*a*a*a";
    path += "/aaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  }
  EXPECT_FALSE(GlobFits(glob + "/b", path));
}

}  // namespace
}  // namespace pteproof
