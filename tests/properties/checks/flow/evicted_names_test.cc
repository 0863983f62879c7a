// What was lost is told once, at the last write over it: earlier writes took nothing more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/properties/checks/made_names.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

using EvictedNames = MadeNames;

TEST_F(EvictedNames, AreNotLostAgainUnderAnOlderName) {
  Made(0);                                     // 0
  Made(8);                                     // 1
  const int32_t view = b_.Planned(1, 0, {4});  // made before 2
  const int32_t over = Made(8);                // 2
  Use(view);                                   // 3
  KeepOrder();
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{view, over, 2, 3}));
}

TEST_F(EvictedNames, LeaveAnOlderNameThatIsReadBeforeTheLoss) {
  const int32_t base = Made(0);                // 0
  const int32_t early = Made(8);               // 1
  const int32_t view = b_.Planned(1, 0, {4});  // made before 2
  Use(base);                                   // 2
  const int32_t late = Made(8);                // 3
  Use(view);                                   // 4
  KeepOrder();
  EXPECT_THAT(HitsOf(b_), UnorderedElementsAre(Hit{view, late, 3, 4}, Hit{base, early, 1, 2}));
}

TEST_F(EvictedNames, AreWantedAnewByAReadBeforeTheLoss) {
  const int32_t v = Made(0);      // 0
  const int32_t early = Made(4);  // 1
  Use(v);                         // 2
  const int32_t late = Made(8);   // 3
  Use(v);                         // 4
  EXPECT_THAT(HitsOf(b_), UnorderedElementsAre(Hit{v, late, 3, 4}, Hit{v, early, 1, 2}));
}

TEST_F(EvictedNames, OfAMoveAreThoseOfBothBranches) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t joined = b_.Unplanned({4});
  const int32_t to_false = b_.JumpFalse(flag, 0);  // 0
  const int32_t one = Made(0);                     // 1
  b_.Move(one, joined);                            // 2
  const int32_t to_end = b_.JumpFalse(b_.Bool(false), 0);
  b_.SetTarget(to_false, b_.Next());
  const int32_t other = Made(32);  // 4
  b_.Move(other, joined);          // 5
  b_.SetTarget(to_end, b_.Next());
  Made(4);                          // 6
  const int32_t second = Made(36);  // 7
  Use(joined);                      // 8
  // The later write is told; what it left of the name is lost already.
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{joined, second, 7, 8}));
}

// What stores a part of a buffer leaves the rest to be lost to the next call.
TEST_F(EvictedNames, OfStateAreWantedByTheNextCallAlsoUnderAPartialStore) {
  const int32_t stack = b_.Planned(1, 0, {4, 4}, "stack");
  const int32_t over = Made(16);                                             // 0
  b_.Call("executorch_prim::et_copy_index.tensor", {stack, x_, b_.Int(0)});  // 1
  const auto end = static_cast<int32_t>(b_.method().values.size());
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{end, over, 0, 3}));
}

TEST_F(EvictedNames, AreTheTilesOfAnOutputThatIsPutTogether) {
  Made(64);                        // 0
  const int32_t right = Made(80);  // 1
  const int32_t over = Made(92);   // 2
  KeepOrder();
  b_.Output(b_.Planned(1, 64, {8}));
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{right, over, 2, 8}));
}

}  // namespace
}  // namespace pteproof::checks
