#include "properties/checks/flow/clobbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ClobbersTest : public ::testing::Test {
 protected:
  ClobbersTest() : x_(b_.Planned(2, 0, {4})) { b_.Input(x_); }

  int32_t At(uint64_t offset) { return b_.Planned(1, offset, {4}); }
  // x squared, at an offset.
  int32_t Made(uint64_t offset) {
    const int32_t v = At(offset);
    b_.Mul(x_, x_, v);
    return v;
  }
  int32_t Use(int32_t v) { return b_.Mul(v, x_, b_.Planned(3, 16 * far_++, {4})); }
  // A condition that only a run knows.
  int32_t Unknown() {
    const int32_t flag = b_.Bool(false);
    b_.Move(b_.Bool(true), flag);
    return flag;
  }
  int32_t JumpAlways() { return b_.JumpFalse(b_.Bool(false), 0); }
  void TargetHere(int32_t jump) { b_.SetTarget(jump, b_.Next()); }

  MethodBuilder b_;
  int32_t x_;
  uint64_t far_ = 0;
};

using ClobbersOfStraightCode = ClobbersTest;
using ClobbersOfState = ClobbersTest;
using ClobbersOfInputs = ClobbersTest;
using ClobbersOfBranches = ClobbersTest;
using ClobbersOfLoops = ClobbersTest;
using LoadOfBanks = ClobbersTest;
using WalkOfLongMethods = ClobbersTest;

TEST_F(ClobbersOfStraightCode, AreNoneWhereBytesAreUsedAgainAfterTheLastRead) {
  const int32_t v = Made(0);
  Use(v);
  Use(Made(8));
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfStraightCode, TellWriterVictimReaderAndBytes) {
  const int32_t v = Made(0);      // 0
  const int32_t over = Made(8);   // 1
  const int32_t reader = Use(v);  // 2
  const Analysed a(b_);
  ASSERT_THAT(HitsOf(a.check.walk), ElementsAre(Hit{v, over, 1, reader}));
  EXPECT_EQ(a.check.walk.clobbers[0].bytes, (Place{1, 8, 16}));
  EXPECT_EQ(a.check.walk.clobbers[0].holder, v);
}

TEST_F(ClobbersOfStraightCode, AreNoneBetweenBanks) {
  const int32_t v = Made(0);
  b_.Mul(x_, x_, b_.Planned(4, 0, {4}));
  Use(v);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfStraightCode, FindAnOutputThatIsWrittenOver) {
  const int32_t v = Made(0);
  const int32_t over = Made(0);
  b_.Output(v);
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{v, over, 1, 2}));
}

TEST_F(ClobbersOfStraightCode, FindAResultThatNobodyReadsOverALiveValue) {
  const int32_t v = Made(0);
  const int32_t unread = Made(4);
  Use(v);
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{v, unread, 1, 2}));
}

TEST_F(ClobbersOfStraightCode, FindTwoResultsOfOneInstructionOnOneByte) {
  const int32_t values = At(0);
  const int32_t indices = b_.Planned(1, 12, {4}, {}, ScalarType::kInt64);
  const int32_t slots = b_.TensorList({values, indices});
  b_.Call("aten::max.dim_max", {x_, b_.Int(0), b_.Bool(false), values, indices, slots});
  b_.Output(values);
  b_.Output(indices);
  EXPECT_FALSE(IsSound(b_));
}

TEST_F(ClobbersOfStraightCode, AreNoneForAValueThatIsMadeAgainBeforeItIsRead) {
  const int32_t v = Made(0);
  Made(0);
  b_.Mul(x_, x_, v);
  Use(v);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfStraightCode, KeepTheEarlierBytesOfAnUpdatedValueAlive) {
  const int32_t v = Made(0);                                    // 0
  const int32_t over = Made(12);                                // 1
  b_.IndexPut(v, b_.Constant(1, {1}, ScalarType::kInt64), x_);  // 2
  Use(v);
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{v, over, 1, 2}));
}

TEST_F(ClobbersOfStraightCode, TellTheLastOfTwoWritesOverAVictimAlone) {
  const int32_t v = Made(0);     // 0
  Made(0);                       // 1
  const int32_t last = Made(0);  // 2
  Use(v);
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{v, last, 2, 3}));
}

TEST_F(ClobbersOfStraightCode, FindAStoreThroughAMovedNameOverWhatWasMadeSince) {
  const int32_t v = Made(0);  // 0
  const int32_t moved = b_.Unplanned({4});
  b_.Move(v, moved);          // 1
  const int32_t w = Made(0);  // 2
  b_.Copy(moved, x_);         // 3: into the bytes of v
  Use(w);                     // 4
  Use(moved);                 // 5
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{w, moved, 3, 4}));
}

TEST_F(ClobbersOfStraightCode, AreToldOnceThoughManyReadTheVictim) {
  const int32_t v = Made(0);
  Made(0);
  Use(v);
  Use(v);
  Use(v);
  EXPECT_THAT(HitsOf(b_), SizeIs(1));
}

TEST_F(ClobbersOfStraightCode, AreCappedInNumber) {
  std::vector<int32_t> victims;
  for (size_t i = 0; i < kMaxClobbers + 50; ++i) victims.push_back(Made(16 * i));
  b_.Mul(x_, x_, b_.Planned(1, 0, {static_cast<int32_t>(4 * victims.size())}));
  for (const int32_t v : victims) Use(v);
  EXPECT_THAT(HitsOf(b_), SizeIs(kMaxClobbers));
}

TEST_F(ClobbersOfState, FindATemporaryOverTheValueAtEntry) {
  const int32_t cache = b_.Planned(1, 0, {4}, "cache");
  const int32_t over = Made(0);  // 0
  Use(over);                     // 1
  Use(cache);                    // 2
  EXPECT_THAT(HitsOf(b_), Contains(Hit{cache, over, 0, 2}));
}

TEST_F(ClobbersOfState, FindATemporaryOverTheStoredValue) {
  const int32_t cache = b_.Planned(1, 0, {4}, "cache");
  b_.Copy(cache, x_);            // 0
  const int32_t over = Made(0);  // 1
  Use(over);                     // 2
  const Analysed a(b_);
  const int32_t end = a.check.flow().value_count();
  EXPECT_THAT(HitsOf(a.check.walk), ElementsAre(Hit{end, over, 1, b_.Next() + 1}));
}

TEST_F(ClobbersOfState, AdmitATemporaryBetweenTheLastReadAndTheStore) {
  const int32_t cache = b_.Planned(1, 0, {4}, "cache");
  Use(cache);
  Use(Made(0));
  b_.Copy(cache, x_);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfState, FindATemporaryBeforeAPartialStore) {
  const int32_t cache = b_.Planned(1, 0, {4}, "cache");
  Use(Made(0));
  b_.IndexPut(cache, b_.Constant(1, {1}, ScalarType::kInt64), x_);
  EXPECT_FALSE(IsSound(b_));
}

TEST_F(ClobbersOfState, FindOneStateOverAnother) {
  const int32_t a = b_.Planned(1, 0, {4}, "a");
  const int32_t b = b_.Planned(1, 8, {4}, "b");
  b_.Copy(a, x_);
  b_.Copy(b, x_);
  EXPECT_THAT(HitsOf(b_), SizeIs(1));
}

TEST_F(ClobbersOfState, TellWhatIsReadAtEntry) {
  const int32_t stored = b_.Planned(1, 0, {4}, "stored");
  const int32_t read = b_.Planned(1, 16, {4}, "read");
  b_.Copy(stored, x_);
  Use(stored);
  Use(read);
  const Analysed a(b_);
  ASSERT_THAT(a.check.walk.entry_reads, SizeIs(1));
  EXPECT_EQ(a.check.roles.states[static_cast<size_t>(a.check.walk.entry_reads[0].state)].value,
            read);
  EXPECT_EQ(a.check.walk.entry_reads[0].reader, 2);
}

TEST_F(ClobbersOfInputs, FindAnInputLaidOnAnother) {
  const int32_t y = b_.Planned(2, 8, {4});
  b_.Input(y);
  b_.Mul(x_, y, b_.Planned(1, 0, {4}));
  const auto hits = HitsOf(b_);
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].instruction, -1);
}

TEST_F(ClobbersOfInputs, AdmitATemporaryOverADeadInput) {
  const int32_t v = b_.Planned(1, 0, {4});
  b_.Mul(x_, x_, v);
  b_.Mul(v, v, b_.Planned(2, 0, {4}));
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfInputs, FindATemporaryOverAnInputThatIsReadLater) {
  const int32_t v = b_.Planned(2, 0, {4});
  b_.Mul(x_, x_, v);
  Use(x_);
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{x_, v, 0, 1}));
}

TEST_F(ClobbersOfInputs, FindAnInputThatTheCallerSetsOverState) {
  const int32_t cache = b_.Planned(2, 8, {4}, "cache");
  Use(cache);
  const auto hits = HitsOf(b_);
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].writer, x_);
  EXPECT_EQ(hits[0].instruction, -1);
}

// move; jump; then-branch; move; jump; else-branch; move; join.
class ClobbersOfAConditional : public ClobbersTest {
 protected:
  // Makes one result in each branch, at these offsets, and moves it to `joined`.
  void Branch(uint64_t then_offset, uint64_t else_offset) {
    flag_ = Unknown();
    const int32_t to_else = b_.JumpFalse(flag_, 0);
    then_ = Made(then_offset);
    b_.Move(then_, joined_);
    const int32_t to_join = JumpAlways();
    TargetHere(to_else);
    else_ = Made(else_offset);
    b_.Move(else_, joined_);
    TargetHere(to_join);
  }

  int32_t joined_ = b_.Unplanned({4});
  int32_t flag_ = -1;
  int32_t then_ = -1;
  int32_t else_ = -1;
};

TEST_F(ClobbersOfAConditional, AdmitBranchesThatOverlayEachOther) {
  Branch(0, 8);
  Use(joined_);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfAConditional, FindABranchsResultWrittenOverAfterTheJoin) {
  Branch(0, 32);
  const int32_t over = Made(40);
  Use(joined_);
  const Analysed a(b_);
  ASSERT_THAT(a.check.walk.clobbers, SizeIs(1));
  const Clobber& clobber = a.check.walk.clobbers[0];
  EXPECT_EQ(clobber.victim, joined_);
  EXPECT_EQ(clobber.holder, else_);
  EXPECT_EQ(clobber.writer, over);
  EXPECT_EQ(clobber.bytes, (Place{1, 40, 48}));
}

TEST_F(ClobbersOfAConditional, AdmitAWriteOverABranchsResultAfterTheJoinedNamesLastRead) {
  Branch(0, 32);
  Use(joined_);
  Use(Made(40));
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfAConditional, AdmitAWriteIntoTheOtherBranchsResultInsideABranch) {
  flag_ = Unknown();
  const int32_t to_else = b_.JumpFalse(flag_, 0);
  const int32_t a = Made(0);
  b_.Move(a, joined_);
  const int32_t to_join = JumpAlways();
  TargetHere(to_else);
  const int32_t scratch = Made(0);  // where the other branch's result lies
  const int32_t c = At(64);
  b_.Mul(scratch, x_, c);
  b_.Move(c, joined_);
  TargetHere(to_join);
  Use(joined_);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfAConditional, FindAValueAroundTheBranchesWrittenOverInOne) {
  const int32_t outer = Made(32);
  Branch(0, 40);
  Use(joined_);
  const int32_t reader = Use(outer);
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0].victim, outer);
  EXPECT_EQ(hits[0].writer, else_);
  EXPECT_EQ(hits[0].reader, reader);
}

TEST_F(ClobbersOfAConditional, FindANestedBranchsResultWrittenOverAfterTheOuterJoin) {
  const int32_t outer_joined = b_.Unplanned({4});
  const int32_t outer_flag = Unknown();
  const int32_t to_outer_else = b_.JumpFalse(outer_flag, 0);
  Branch(0, 16);
  b_.Move(joined_, outer_joined);
  const int32_t to_end = JumpAlways();
  TargetHere(to_outer_else);
  b_.Move(Made(32), outer_joined);
  TargetHere(to_end);
  const int32_t over = Made(16);
  Use(outer_joined);
  const Analysed a(b_);
  ASSERT_THAT(a.check.walk.clobbers, SizeIs(1));
  EXPECT_EQ(a.check.walk.clobbers[0].victim, outer_joined);
  EXPECT_EQ(a.check.walk.clobbers[0].holder, else_);
  EXPECT_EQ(a.check.walk.clobbers[0].writer, over);
}

TEST_F(ClobbersOfAConditional, AdmitNestedBranchesThatOverlayEachOther) {
  const int32_t outer_joined = b_.Unplanned({4});
  const int32_t to_outer_else = b_.JumpFalse(Unknown(), 0);
  Branch(0, 0);
  b_.Move(joined_, outer_joined);
  const int32_t to_end = JumpAlways();
  TargetHere(to_outer_else);
  b_.Move(Made(0), outer_joined);
  TargetHere(to_end);
  Use(outer_joined);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfAConditional, TellAValueThatOnlyOneBranchMakes) {
  flag_ = Unknown();
  const int32_t jump = b_.JumpFalse(flag_, 0);
  const int32_t v = Made(0);
  TargetHere(jump);
  const int32_t reader = Use(v);
  const Analysed a(b_);
  EXPECT_THAT(a.check.walk.clobbers, IsEmpty());
  ASSERT_THAT(a.check.walk.unmade, SizeIs(1));
  EXPECT_EQ(a.check.walk.unmade[0].name, v);
  EXPECT_EQ(a.check.walk.unmade[0].reader, reader);
}

TEST_F(ClobbersOfBranches, IgnoreWhatCannotBeReached) {
  const int32_t v = Made(0);
  const int32_t jump = JumpAlways();
  Made(0);
  TargetHere(jump);
  Use(v);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfBranches, AdmitAnOutputMadeBeforeAJumpToTheEnd) {
  const int32_t v = Made(0);
  const int32_t jump = b_.JumpFalse(Unknown(), 0);
  Use(v);
  TargetHere(jump);
  b_.Output(v);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfBranches, FindAnOutputLostOnOneOfTwoWaysToTheEnd) {
  const int32_t v = Made(0);                        // 0
  const int32_t jump = b_.JumpFalse(Unknown(), 0);  // 2
  const int32_t over = Made(0);                     // 3
  TargetHere(jump);
  b_.Output(v);
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{v, over, 3, 4}));
}

TEST_F(ClobbersOfBranches, FollowAConstantConditionOneWayOnly) {
  const int32_t v = Made(0);
  const int32_t jump = b_.JumpFalse(b_.Bool(true), 0);
  const int32_t over = Made(0);
  TargetHere(jump);
  Use(v);
  EXPECT_THAT(HitsOf(b_), SizeIs(1));
  EXPECT_EQ(HitsOf(b_)[0].writer, over);
}

TEST_F(ClobbersOfLoops, FindAValueThatLivesAroundTheBackEdgeWrittenOverInTheBody) {
  const int32_t v = Made(0);       // 0
  const int32_t flag = Unknown();  // 1
  const int32_t body = Use(v);     // 2
  const int32_t over = Made(8);    // 3
  b_.JumpFalse(flag, body);        // 4
  EXPECT_THAT(HitsOf(b_), ElementsAre(Hit{v, over, 3, body}));
}

TEST_F(ClobbersOfLoops, AdmitABodysTemporariesOverEachOther) {
  const int32_t flag = Unknown();
  const int32_t body = b_.Next();
  Use(Made(0));
  Use(Made(8));
  b_.JumpFalse(flag, body);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfLoops, AdmitACarryThatEachRoundReplaces) {
  const int32_t carry = Made(0);
  const int32_t flag = Unknown();
  const int32_t body = b_.Next();
  const int32_t next = At(32);
  b_.Mul(carry, x_, next);
  b_.Copy(carry, next);
  b_.JumpFalse(flag, body);
  Use(carry);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfLoops, FindABodysTemporaryOverTheCarry) {
  const int32_t carry = Made(0);
  const int32_t flag = Unknown();
  const int32_t body = b_.Next();
  const int32_t next = At(32);
  b_.Mul(carry, x_, next);
  b_.Copy(carry, next);
  const int32_t over = Made(12);
  b_.JumpFalse(flag, body);
  EXPECT_THAT(HitsOf(b_), SizeIs(1));
  EXPECT_EQ(HitsOf(b_)[0].victim, carry);
  EXPECT_EQ(HitsOf(b_)[0].writer, over);
}

// A map: each round stores one row of the stacked result.
class ClobbersOfAMap : public ClobbersTest {
 protected:
  // With a temporary of the body at this offset; the stacked result lies at [64,128) of bank 1.
  int32_t Map(uint64_t temporary) {
    all_ = b_.Planned(1, 64, {4, 4});
    const int32_t flag = Unknown();
    const int32_t body = b_.Next();
    row_ = Made(temporary);
    store_ = b_.Call("executorch_prim::et_copy_index.tensor", {all_, row_, b_.Int(0)});
    b_.JumpFalse(flag, body);
    return all_;
  }

  int32_t all_ = -1;
  int32_t row_ = -1;
  int32_t store_ = -1;
};

TEST_F(ClobbersOfAMap, AdmitTemporariesBeforeTheStackedResultOverItsBytes) {
  Use(Made(64));
  Use(Map(0));
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfAMap, FindATemporaryOfTheBodyOverTheStackedResult) {
  Use(Map(100));
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0].victim, all_);
  EXPECT_EQ(hits[0].writer, row_);
}

TEST_F(ClobbersOfAMap, FindATemporaryAfterTheLoopOverTheStackedResult) {
  Map(0);
  const int32_t over = Made(64);
  Use(all_);
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0].victim, all_);
  EXPECT_EQ(hits[0].writer, over);
}

// The loop begins the method: nothing is lost where the caller sets what lies under its result.
TEST_F(ClobbersOfAMap, AdmitAnInputThatNobodyReadsUnderTheStackedResult) {
  b_.Input(b_.Planned(1, 64, {4}));
  all_ = b_.Planned(1, 64, {4, 4});
  row_ = Made(0);
  b_.Call("executorch_prim::et_copy_index.tensor", {all_, row_, b_.Int(0)});
  const int32_t flag = Unknown();
  b_.JumpFalse(flag, 0);
  Use(all_);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ClobbersOfAMap, DoNotCallTheStackedResultUnmade) {
  Use(Map(0));
  EXPECT_THAT(Analysed(b_).check.walk.unmade, IsEmpty());
}

TEST_F(LoadOfBanks, IsTheLargestSumOfLiveBytes) {
  const int32_t a = Made(0);
  const int32_t b = Made(16);
  b_.Mul(a, b, At(32));
  b_.Output(2 + x_ + 1);
  const Analysed check(b_);
  EXPECT_EQ(check.check.walk.load[1], 48U);
}

TEST_F(LoadOfBanks, CountsAResultOverItsDyingOperandOnce) {
  const int32_t a = Made(0);
  const int32_t b = At(0);
  b_.Mul(a, x_, b);
  b_.Output(b);
  EXPECT_EQ(Analysed(b_).check.walk.load[1], 16U);
}

TEST_F(WalkOfLongMethods, EndsForAHundredThousandInstructions) {
  constexpr int kInstructions = 100'000;
  int32_t last = x_;
  for (int i = 0; i < kInstructions; ++i) {
    const int32_t next = b_.Planned(1, 16 * static_cast<uint64_t>(i % 2), {4});
    b_.Mul(last, x_, next);
    last = next;
  }
  b_.Output(last);
  const Analysed a(b_);
  EXPECT_TRUE(a.check.walk.complete);
  EXPECT_THAT(a.check.walk.clobbers, IsEmpty());
}

TEST_F(WalkOfLongMethods, EndsForAChainOfTwentyThousandBlocks) {
  const int32_t flag = Unknown();
  for (int i = 0; i < 10'000; ++i) {
    const int32_t jump = b_.JumpFalse(flag, 0);
    Use(Made(16 * static_cast<uint64_t>(i % 7)));
    TargetHere(jump);
  }
  Use(x_);
  const Analysed a(b_);
  EXPECT_GT(a.check.graph.blocks.size(), 20'000U);
  EXPECT_TRUE(a.check.walk.complete);
  EXPECT_THAT(a.check.walk.clobbers, IsEmpty());
}

}  // namespace
}  // namespace pteproof::checks
