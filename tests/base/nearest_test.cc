#include "base/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pteproof {
namespace {

const std::vector<std::string> kVerbs = {"check", "inspect", "map", "plan", "place"};

TEST(EditDistance, CountsChangesOfOneCharacter) {
  EXPECT_EQ(EditDistance("", ""), 0U);
  EXPECT_EQ(EditDistance("abc", ""), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance("chekc", "check"), 2U);
}

TEST(NearestName, IsTheOneThatWasMeant) {
  EXPECT_EQ(NearestName("chekc", kVerbs), "check");
  EXPECT_EQ(NearestName("plam", kVerbs), "plan");
  EXPECT_EQ(NearestName("insppect", kVerbs), "inspect");
}

TEST(NearestName, IsNoneIfAllAreFar) {
  EXPECT_EQ(NearestName("frobnicate", kVerbs), "");
  EXPECT_EQ(NearestName("", kVerbs), "");
  EXPECT_EQ(NearestName("x", kVerbs), "");
  EXPECT_EQ(NearestName(std::string(100'000, 'x'), kVerbs), "");
}

}  // namespace
}  // namespace pteproof
