#include "cli/io/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/io/quote.h"

namespace pteproof {
namespace {

TEST(ShortPath, KeepsWhatFits) {
  EXPECT_EQ(ShortPath("a/b/model.pte", 13), "a/b/model.pte");
  EXPECT_EQ(ShortPath("", 13), "");
}

TEST(ShortPath, LeavesOutFoldersAndKeepsTheName) {
  EXPECT_EQ(ShortPath("models/of/some/where/model.pte", 24), "models/of/.../model.pte");
  EXPECT_EQ(ShortPath("models/of/some/where/model.pte", 15), ".../model.pte");
  EXPECT_EQ(ShortPath("/very/long/path/to/x.pte", 18), "/very/.../x.pte");
}

TEST(ShortPath, KeepsTheEndOfANameThatIsLongerStill) {
  EXPECT_EQ(ShortPath("a/a_model_with_a_long_name.pte", 12), "..._name.pte");
}

TEST(ShortPath, CutsNoCharacterInTwo) {
  const std::string shortened = ShortPath("a/\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4.pte", 12);
  EXPECT_EQ(Quote(shortened), shortened);
}

TEST(QuotePath, KeepsTheNameOfALongPath) {
  const std::string path = "root/" + std::string(300, 'x') + "/model.pte";
  EXPECT_EQ(QuotePath(path), "root/.../model.pte");
  EXPECT_EQ(QuotePath("a\nb/model.pte"), "a\\nb/model.pte");
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(Wrapped("one two three", 7, "  "), "  one two\n  three\n");
  EXPECT_EQ(Wrapped("one\ntwo", 20, ""), "one\ntwo\n");
  EXPECT_EQ(Wrapped("unbreakable a", 4, ""), "unbreakable\na\n");
}

}  // namespace
}  // namespace pteproof
