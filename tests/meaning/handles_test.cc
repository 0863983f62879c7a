#include "meaning/handles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class HandlesOfMethod : public ::testing::Test {
 protected:
  HandlesOfMethod() : x_(b_.Planned(2, 0, {4})), joined_(b_.Unplanned({4})) { b_.Input(x_); }

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
  // The values in whose bytes `name` lies when instruction `i` reads it.
  std::vector<int32_t> HoldersAt(int32_t name, int32_t i) const {
    const Analysed a(b_);
    const MethodFlow flow = a.check.flow();
      const Handles handles(flow);
    std::vector<int32_t> holders;
    handles.HoldersAt(name, {i, Step::kRead}, holders);
    return holders;
  }

  MethodBuilder b_;
  int32_t x_;
  int32_t joined_;
  uint64_t next_ = 0;
};

TEST_F(HandlesOfMethod, LeaveAValueThatNothingMovesWhereItIs) {
  const int32_t v = Made();
  const int32_t reader = Use(v);
  b_.Move(v, joined_);
  EXPECT_THAT(HoldersAt(v, reader), ElementsAre(v));
}

TEST_F(HandlesOfMethod, LieInTheSourceOfTheLastMove) {
  const int32_t a = Made();
  const int32_t b = Made();
  b_.Move(a, joined_);
  const int32_t first = Use(joined_);
  b_.Move(b, joined_);
  const int32_t second = Use(joined_);
  EXPECT_THAT(HoldersAt(joined_, first), ElementsAre(a));
  EXPECT_THAT(HoldersAt(joined_, second), ElementsAre(b));
}

TEST_F(HandlesOfMethod, FollowAChainOfMoves) {
  const int32_t a = Made();
  const int32_t between = b_.Unplanned({4});
  b_.Move(a, between);
  b_.Move(between, joined_);
  EXPECT_THAT(HoldersAt(joined_, Use(joined_)), ElementsAre(a));
}

TEST_F(HandlesOfMethod, StayWhereTheyWereWhenTheSourceIsMovedOn) {
  const int32_t a = Made();
  const int32_t b = Made();
  const int32_t between = b_.Unplanned({4});
  b_.Move(a, between);
  b_.Move(between, joined_);
  b_.Move(b, between);
  EXPECT_THAT(HoldersAt(joined_, Use(joined_)), ElementsAre(a));
}

TEST_F(HandlesOfMethod, LieInEitherBranchsResultAfterTheJoin) {
  const int32_t to_else = b_.JumpFalse(Unknown(), 0);
  const int32_t a = Made();
  b_.Move(a, joined_);
  const int32_t in_branch = Use(joined_);
  const int32_t to_join = b_.JumpFalse(b_.Bool(false), 0);
  b_.SetTarget(to_else, b_.Next());
  const int32_t b = Made();
  b_.Move(b, joined_);
  b_.SetTarget(to_join, b_.Next());
  const int32_t after = Use(joined_);
  EXPECT_THAT(HoldersAt(joined_, in_branch), ElementsAre(a));
  EXPECT_THAT(HoldersAt(joined_, after), UnorderedElementsAre(a, b));
}

TEST_F(HandlesOfMethod, CarryThroughALoopThatMovesThemInTurns) {
  const int32_t a = Made();
  const int32_t b = b_.Planned(1, 512, {4});
  b_.Move(a, joined_);
  const int32_t flag = Unknown();
  const int32_t body = b_.Mul(joined_, x_, b);
  b_.Move(b, joined_);
  b_.JumpFalse(flag, body);
  EXPECT_THAT(HoldersAt(joined_, body), UnorderedElementsAre(a, b));
  EXPECT_THAT(HoldersAt(joined_, Use(joined_)), ElementsAre(b));
}

TEST_F(HandlesOfMethod, AreWhatMovesMakeAndNothingElse) {
  const int32_t a = Made();
  b_.Move(a, joined_);
  const Analysed analysed(b_);
  const MethodFlow flow = analysed.check.flow();
  const Handles handles(flow);
  EXPECT_TRUE(handles.IsHandle(joined_));
  EXPECT_FALSE(handles.IsHandle(a));
  EXPECT_FALSE(handles.IsHandle(flow.value_count()));
}

// As many moves of moves as a file likes, each read again and again.
TEST_F(HandlesOfMethod, LieAtTheStartOfALongChainOfMoves) {
  constexpr int kMoves = 30'000;
  const int32_t home = Made();
  int32_t last = home;
  for (int n = 0; n < kMoves; ++n) {
    const int32_t next = b_.Unplanned({4});
    b_.Move(last, next);
    last = next;
  }
  const int32_t reader = Use(last);
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const Handles handles(flow);
  for (int n = 0; n < kMoves; ++n) {
    std::vector<int32_t> holders;
    handles.HoldersAt(last - n % 100, {reader, Step::kRead}, holders);
    ASSERT_THAT(holders, ElementsAre(home)) << n;
  }
}

TEST_F(HandlesOfMethod, AreFoundAmongVeryMany) {
  constexpr size_t kBranches = 1500;  // each with two blocks and a handle
  std::vector<int32_t> either;
  std::vector<int32_t> no;
  std::vector<int32_t> yes;
  std::vector<int32_t> reads;
  const int32_t flag = Unknown();
  for (size_t i = 0; i < kBranches; ++i) {
    no.push_back(Made());
    yes.push_back(Made());
    either.push_back(b_.Unplanned({4}));
    b_.Move(no.back(), either.back());
    const int32_t jump = b_.JumpFalse(flag, 0);
    b_.Move(yes.back(), either.back());
    b_.SetTarget(jump, b_.Next());
    reads.push_back(Use(either.back()));
  }
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const Handles handles(flow);
  for (size_t i = 0; i < kBranches; ++i) {
    std::vector<int32_t> holders;
    handles.HoldersAt(either[i], {reads[i], Step::kRead}, holders);
    ASSERT_THAT(holders, ElementsAre(no[i], yes[i]));
  }
}

// Before any move they lie in their own bytes, and after one on another path they may.
TEST_F(HandlesOfMethod, LieInTheirOwnBytesWhereNothingWasMovedToThem) {
  const int32_t own = Made();
  const int32_t before = Use(own);
  const int32_t skip = b_.JumpFalse(Unknown(), 0);
  const int32_t a = Made();
  const int32_t in_branch = Use(own);
  b_.Move(a, own);
  const int32_t moved = Use(own);
  b_.SetTarget(skip, b_.Next());
  const int32_t after = Use(own);
  EXPECT_THAT(HoldersAt(own, before), ElementsAre(own));
  EXPECT_THAT(HoldersAt(own, in_branch), ElementsAre(own));
  EXPECT_THAT(HoldersAt(own, moved), ElementsAre(a));
  EXPECT_THAT(HoldersAt(own, after), UnorderedElementsAre(own, a));
}

}  // namespace
}  // namespace pteproof::meaning
