#include "meaning/liveness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "properties/checks/clobbers.h"
#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;
using checks::IsSound;

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class LivenessOfMethod : public ::testing::Test {
 protected:
  LivenessOfMethod() : x_(b_.Planned(2, 0, {4})) { b_.Input(x_); }

  int32_t Made() {
    const int32_t v = b_.Planned(1, 16 * next_++, {4});
    b_.Mul(x_, x_, v);
    return v;
  }
  int32_t Use(int32_t v) { return b_.Mul(v, v, b_.Planned(1, 16 * next_++, {4})); }
  int32_t Unknown() {
    const int32_t flag = b_.Bool(false);
    b_.Move(b_.Bool(true), flag);
    return flag;
  }
  Liveness Of() {
    analysed_.emplace(b_);
    const MethodFlow flow = analysed_->check.flow();
    return LivenessOf(flow);
  }
  static std::vector<int32_t> Names(const std::vector<LiveName>& live) {
    std::vector<int32_t> names;
    for (const LiveName& n : live) names.push_back(n.name);
    return names;
  }

  MethodBuilder b_;
  int32_t x_;
  uint64_t next_ = 0;
  std::optional<Analysed> analysed_;
};

TEST_F(LivenessOfMethod, HasTheOutputsAtTheEndOfStraightCode) {
  const int32_t v = Made();
  Made();
  b_.Output(v);
  const Liveness live = Of();
  ASSERT_EQ(live.out.size(), 1U);
  EXPECT_THAT(Names(live.out[0]), ElementsAre(v));
  EXPECT_EQ(live.out[0][0].reader, b_.Next());
}

TEST_F(LivenessOfMethod, CarriesAValueIntoTheBranchThatReadsIt) {
  const int32_t v = Made();  // block 0
  const int32_t jump = b_.JumpFalse(Unknown(), 0);
  Made();  // block 1
  b_.JumpFalse(b_.Bool(false), b_.Next() + 2);
  b_.SetTarget(jump, b_.Next());
  const int32_t reader = Use(v);  // block 2
  const Liveness live = Of();
  EXPECT_THAT(Names(live.out[0]), UnorderedElementsAre(v, x_));
  EXPECT_THAT(Names(live.out[1]), IsEmpty());
  for (const LiveName& n : live.out[0]) {
    if (n.name == v) {
      EXPECT_EQ(n.reader, reader);
    }
  }
}

TEST_F(LivenessOfMethod, CarriesAValueAroundALoop) {
  const int32_t v = Made();  // block 0
  const int32_t flag = Unknown();
  const int32_t body = Use(v);  // block 1
  b_.JumpFalse(flag, body);
  Use(x_);  // block 2
  const Liveness live = Of();
  EXPECT_THAT(Names(live.out[1]), UnorderedElementsAre(v, x_));
  EXPECT_THAT(live.reached[1], Contains(v));
}

TEST_F(LivenessOfMethod, EndsAtAMake) {
  const int32_t v = Made();  // block 0
  b_.JumpFalse(Unknown(), b_.Next() + 2);
  b_.Mul(x_, x_, v);  // block 1
  b_.Mul(x_, x_, v);  // block 2
  Use(v);
  const Liveness live = Of();
  EXPECT_THAT(Names(live.out[0]), ElementsAre(x_));
  EXPECT_THAT(Names(live.out[1]), ElementsAre(x_));
}

TEST_F(LivenessOfMethod, WantsTheSourceOfAMoveBeforeIt) {
  const int32_t v = Made();  // block 0
  const int32_t to = b_.Unplanned({4});
  b_.JumpFalse(Unknown(), b_.Next() + 2);
  b_.Move(v, to);  // block 1
  b_.Move(v, to);  // block 2
  Use(to);
  const Liveness live = Of();
  EXPECT_THAT(Names(live.out[0]), ElementsAre(v));
}

TEST_F(LivenessOfMethod, IgnoresReadsThatCannotBeReached) {
  const int32_t v = Made();
  b_.JumpFalse(b_.Bool(false), b_.Next() + 2);
  Use(v);  // never
  Use(x_);
  const Liveness live = Of();
  EXPECT_THAT(Names(live.out[0]), ElementsAre(x_));
  EXPECT_THAT(Names(live.out[1]), IsEmpty());
}

TEST_F(LivenessOfMethod, ReachesNoFurtherThanTheNameIsWanted) {
  const int32_t v = Made();  // block 0
  const int32_t flag = Unknown();
  b_.JumpFalse(flag, b_.Next() + 2);
  Use(v);                             // block 1
  b_.JumpFalse(flag, b_.Next() + 1);  // block 2
  Use(x_);                            // block 3
  const Liveness live = Of();
  EXPECT_THAT(live.reached[1], Contains(v));
  EXPECT_THAT(live.reached[3], Not(Contains(v)));
}

TEST_F(LivenessOfMethod, KeepsStateForTheNextCall) {
  const int32_t cache = b_.Planned(3, 0, {4}, "cache");
  b_.JumpFalse(Unknown(), b_.Next() + 2);
  Made();
  b_.Copy(cache, x_);
  const Liveness live = Of();
  const int32_t end = static_cast<int32_t>(b_.method().values.size());
  EXPECT_THAT(Names(live.out[2]), ElementsAre(end));
  EXPECT_THAT(Names(live.out[1]), ElementsAre(x_));
}

// A name that is moved to itself takes over what it was before.
TEST_F(LivenessOfMethod, WantsWhatWasThereBeforeANameIsMovedToItself) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t flag = b.Unplanned({}, ScalarType::kBool);
  b.Input(x);
  b.Input(flag);
  const int32_t v = b.Planned(1, 16, {4});
  b.Mul(x, x, v);
  const int32_t jump = b.JumpFalse(flag, 0);
  b.Move(v, v);
  b.SetTarget(jump, b.Next());
  b.Mul(v, x, b.Planned(1, 32, {4}));
  EXPECT_TRUE(IsSound(b));
}

}  // namespace
}  // namespace pteproof::meaning
