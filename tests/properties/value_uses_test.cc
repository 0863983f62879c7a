#include "properties/value_uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/checks/clobbers.h"
#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

ValueUses UsesIn(const MethodBuilder& b) {
  const Analysed a(b);
  const MethodFlow flow = a.check.flow();
  return UsesOf(flow, LivenessOf(flow));
}

std::vector<std::pair<int64_t, int64_t>> SpansOf(const ValueUses& uses, int32_t v) {
  std::vector<std::pair<int64_t, int64_t>> spans;
  for (const PointSpan& span : uses.of[static_cast<size_t>(v)])
    spans.emplace_back(span.lower, span.upper);
  return spans;
}

class UsesOfValues : public ::testing::Test {
 protected:
  UsesOfValues() : x_(b_.Planned(2, 0, {4})) { b_.Input(x_); }
  int32_t At(uint64_t offset) { return b_.Planned(1, offset, {4}); }

  MethodBuilder b_;
  int32_t x_;
};

// Points: 2 i reads, 2 i + 1 writes, 2 i + 2 has ended instruction i.
TEST_F(UsesOfValues, LastFromTheWriteToTheEndOfTheLastRead) {
  const int32_t v = At(0);
  b_.Mul(x_, x_, v);       // 0
  b_.Mul(x_, x_, At(16));  // 1
  b_.Mul(v, x_, At(32));   // 2
  const ValueUses uses = UsesIn(b_);
  EXPECT_THAT(SpansOf(uses, v), ElementsAre(Pair(1, 6)));
  EXPECT_THAT(uses.together, IsEmpty());
}

TEST_F(UsesOfValues, OfAReturnedNameBeginWhereItIsReturned) {
  const int32_t self = At(64);
  b_.Mul(x_, x_, self);  // 0
  const int32_t slot = At(64);
  const int32_t list = b_.OptionalTensorList({b_.Constant(1, {1}, ScalarType::kInt64)});
  b_.Call("aten::index_put_", {self, list, x_, b_.Bool(false), slot});  // 1
  b_.Mul(slot, x_, At(0));                                              // 2
  const ValueUses uses = UsesIn(b_);
  EXPECT_THAT(SpansOf(uses, self), ElementsAre(Pair(1, 4)));
  EXPECT_THAT(SpansOf(uses, slot), ElementsAre(Pair(4, 6)));
}

// A moved name that two blocks read lies in one value or the other: they are together, once.
TEST_F(UsesOfValues, OfAMovedNameAreThoseOfWhatItLiesIn) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t one = At(0);
  const int32_t other = At(16);
  const int32_t moved = b_.Unplanned({4});
  const int32_t jump = b_.JumpFalse(flag, 0);
  b_.Mul(x_, x_, one);
  b_.Move(one, moved);
  const int32_t join = b_.JumpFalse(b_.Bool(false), 0);
  b_.SetTarget(jump, b_.Next());
  b_.Mul(x_, x_, other);
  b_.Move(other, moved);
  b_.SetTarget(join, b_.Next());
  b_.Mul(moved, x_, At(32));
  const int32_t skip = b_.JumpFalse(flag, 0);
  b_.Mul(moved, x_, At(48));
  b_.SetTarget(skip, b_.Next());
  b_.Mul(x_, x_, At(64));
  EXPECT_THAT(UsesIn(b_).together, ElementsAre(Pair(one, other)));
}

constexpr int64_t kEntry = PointSpan::kEntry;

TEST_F(UsesOfValues, OfAnInputBeginAtTheEntryReadOrNot) {
  const int32_t unread = At(64);
  b_.Input(unread);
  b_.Mul(x_, x_, At(0));  // 0
  b_.Mul(x_, x_, At(0));  // 1
  const ValueUses uses = UsesIn(b_);
  EXPECT_THAT(SpansOf(uses, x_), ElementsAre(Pair(kEntry, 4)));
  EXPECT_THAT(SpansOf(uses, unread), ElementsAre(Pair(kEntry, kEntry + 1)));
}

TEST_F(UsesOfValues, OfAnOutputLastToTheEnd) {
  const int32_t v = At(0);
  b_.Mul(x_, x_, v);       // 0
  b_.Mul(x_, x_, At(16));  // 1
  b_.Output(v);
  EXPECT_THAT(SpansOf(UsesIn(b_), v), ElementsAre(Pair(1, 4)));
}

TEST_F(UsesOfValues, OfAResultThatNobodyReadsAreItsInstruction) {
  b_.Mul(x_, x_, At(16));  // 0
  const int32_t v = At(0);
  b_.Mul(x_, x_, v);  // 1
  EXPECT_THAT(SpansOf(UsesIn(b_), v), ElementsAre(Pair(3, 4)));
}

TEST_F(UsesOfValues, OfAValueThatIsMadeTwiceAreTwo) {
  const int32_t v = At(0);
  b_.Mul(x_, x_, v);       // 0
  b_.Mul(v, x_, At(16));   // 1
  b_.Mul(x_, x_, At(32));  // 2
  b_.Mul(x_, x_, v);       // 3
  b_.Mul(v, x_, At(48));   // 4
  EXPECT_THAT(SpansOf(UsesIn(b_), v), ElementsAre(Pair(1, 4), Pair(7, 10)));
}

TEST_F(UsesOfValues, OfStateLastThroughoutTheCall) {
  const int32_t state = b_.Planned(3, 0, {4}, "cache");
  EXPECT_THAT(SpansOf(UsesIn(b_), state), ElementsAre(Pair(kEntry, 0)));
  b_.Mul(x_, x_, At(0));  // 0
  b_.Mul(x_, x_, At(0));  // 1
  EXPECT_THAT(SpansOf(UsesIn(b_), state), ElementsAre(Pair(kEntry, 4)));
}

// A branch that cannot be taken uses nothing.
TEST_F(UsesOfValues, AreThoseOfCodeThatCanRun) {
  const int32_t v = At(0);
  b_.Mul(x_, x_, v);                // 0
  b_.JumpFalse(b_.Bool(false), 3);  // 1
  b_.Mul(v, v, At(16));             // 2
  b_.Mul(x_, x_, At(32));           // 3
  EXPECT_THAT(SpansOf(UsesIn(b_), v), ElementsAre(Pair(1, 2)));
}

// What a later round reads is in use throughout the loop.
TEST_F(UsesOfValues, GoRoundALoop) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t v = At(0);
  b_.Mul(x_, x_, v);       // 0
  b_.Mul(v, x_, At(16));   // 1
  b_.Mul(x_, x_, At(32));  // 2
  b_.JumpFalse(flag, 1);   // 3
  b_.Mul(x_, x_, At(48));  // 4
  EXPECT_THAT(SpansOf(UsesIn(b_), v), ElementsAre(Pair(1, 8)));
}

TEST_F(UsesOfValues, AreNoneOfAMoveToWhatNobodyReads) {
  const int32_t v = At(0);
  b_.Mul(x_, x_, v);              // 0
  b_.Move(v, b_.Unplanned({4}));  // 1
  b_.Mul(x_, x_, At(16));         // 2
  EXPECT_THAT(SpansOf(UsesIn(b_), v), ElementsAre(Pair(1, 2)));
}

// Two names, each of one of two values, which two blocks read: each pair is told once.
TEST_F(UsesOfValues, OfTwoMovedNamesAreTwoPairs) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t first = b_.Unplanned({4});
  const int32_t second = b_.Unplanned({4});
  std::vector<int32_t> made;
  const auto make = [&](int32_t name) {
    made.push_back(At(16 * made.size()));
    b_.Mul(x_, x_, made.back());
    b_.Move(made.back(), name);
  };
  const int32_t jump = b_.JumpFalse(flag, 0);
  make(first);
  make(second);
  const int32_t join = b_.JumpFalse(b_.Bool(false), 0);
  b_.SetTarget(jump, b_.Next());
  make(first);
  make(second);
  b_.SetTarget(join, b_.Next());
  b_.Mul(first, second, At(128));
  const int32_t skip = b_.JumpFalse(flag, 0);
  b_.Mul(first, second, At(144));
  b_.SetTarget(skip, b_.Next());
  b_.Mul(x_, x_, At(160));
  EXPECT_THAT(UsesIn(b_).together, ElementsAre(Pair(made[0], made[2]), Pair(made[1], made[3])));
}

}  // namespace
}  // namespace pteproof::checks
