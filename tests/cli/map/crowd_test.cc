#include "cli/map/crowd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pteproof {
namespace {

using picture::Kind;
using ::testing::ElementsAre;

constexpr int8_t kState = 0;
constexpr int8_t kIntermediate = 3;

TEST(Crowd, CoversTheCellsOfEachStorage) {
  Crowd crowd(4, 2);
  crowd.Add(Kind::kIntermediate, {1, 3, 0, 1});
  crowd.Add(Kind::kState, {2, 9, 1, 9});                                        // beyond the grid
  EXPECT_THAT(crowd.Cells(), ElementsAre(-1, kIntermediate, kIntermediate, -1,  //
                                         -1, -1, kState, kState));
}

TEST(Crowd, ShowsTheKindThatCoversACellMostOften) {
  Crowd crowd(2, 1);
  crowd.Add(Kind::kState, {0, 2, 0, 1});
  crowd.Add(Kind::kIntermediate, {1, 2, 0, 1});
  crowd.Add(Kind::kIntermediate, {1, 2, 0, 1});
  EXPECT_THAT(crowd.Cells(), ElementsAre(kState, kIntermediate));
}

TEST(Crowd, LeavesOutWhatIsEmpty) {
  Crowd crowd(2, 1);
  crowd.Add(Kind::kState, {1, 1, 0, 1});
  crowd.Add(Kind::kState, {5, 6, 0, 1});
  EXPECT_THAT(crowd.Cells(), ElementsAre(-1, -1));
}

}  // namespace
}  // namespace pteproof
