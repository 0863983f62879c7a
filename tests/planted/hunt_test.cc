#include "tests/planted/hunt.h"

#include <gtest/gtest.h>

namespace pteproof {
namespace {

TEST(WayOf, TellsWhoSawAFault) {
  EXPECT_EQ(WayOf("plan-overlap in 'm0': a story"), "check plan-overlap");
  EXPECT_EQ(WayOf("with its manifest: write-back-missing in 'm0': a story"),
            "manifest write-back-missing");
  EXPECT_EQ(WayOf("with its manifest: /buffers: what does not fit"), "manifest");
  EXPECT_EQ(WayOf("call 0: as planned: output 0 differs"), "planned run");
  EXPECT_EQ(WayOf("call 2: a storage per value: output 1 differs"), "storage per value");
  EXPECT_EQ(
      WayOf("call 2: tagged, with a storage per value: instruction 3 of 'm0' needs value 7 in"),
      "tagged run");
  EXPECT_EQ(WayOf("refused: the alignment is below 16"), "refusal");
  EXPECT_EQ(WayOf("read(write(p)): method 0: values"), "file");
}

TEST(Hunt, GivesUpAfterSoManyCases) {
  EXPECT_FALSE(Hunt(planner::Defect::kNone, 3).has_value());
}

}  // namespace
}  // namespace pteproof
