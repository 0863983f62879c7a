#include "meaning/aliases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;
using checks::Hit;
using checks::HitsOf;
using checks::IsSound;

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr uint64_t kFarAway = 4096;

// Enough results in order for the exporter's order to be trusted, far from all else.
void KeepOrder(MethodBuilder& b, int32_t x) {
  for (uint64_t i = 0; i < 5; ++i) b.Mul(x, x, b.Planned(1, kFarAway + 64 * i, {4}));
}

// The transfers to a value.
std::vector<Transfer> TransfersTo(const Aliases& aliases, int32_t value) {
  std::vector<Transfer> found;
  for (const Transfer& t : aliases.transfers) {
    if (t.to == value) found.push_back(t);
  }
  return found;
}

std::vector<int32_t> SourcesOf(const Aliases& aliases, const Transfer& t) {
  const auto sources = aliases.SourcesOf(t);
  return {sources.begin(), sources.end()};
}

int32_t RootOf(const Aliases& aliases, int32_t v) {
  return aliases.root[static_cast<size_t>(v)];
}

class ElidedView : public ::testing::Test {
 protected:
  ElidedView() : x_(b_.Planned(1, 0, {4})) { b_.Input(x_); }

  MethodBuilder b_;
  int32_t x_;
};

TEST_F(ElidedView, StandsForTheLastEarlierValueOfItsPlace) {
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);
  const int32_t view = b_.Planned(1, 64, {2, 2});
  b_.Mul(view, view, b_.Planned(1, 128, {2, 2}));
  KeepOrder(b_, x_);
  const Analysed a(b_);
  ASSERT_TRUE(a.check.order.holds);
  const auto transfers = TransfersTo(a.check.aliases, view);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_THAT(SourcesOf(a.check.aliases, transfers[0]), ElementsAre(base));
  EXPECT_EQ(transfers[0].instruction, 1);
  EXPECT_FALSE(transfers[0].dynamic);
  EXPECT_EQ(RootOf(a.check.aliases, view), base);
  EXPECT_THAT(a.check.aliases.uncertain, IsEmpty());
  EXPECT_THAT(a.check.aliases.unexplained, IsEmpty());
}

TEST_F(ElidedView, IsMadeWhenTheOrderSaysNotWhenItIsUsed) {
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);  // 0
  const int32_t view = b_.Planned(1, 64, {4});
  KeepOrder(b_, x_);                          // 1 to 5
  b_.Mul(view, x_, b_.Planned(1, 128, {4}));  // 6
  const Analysed a(b_);
  ASSERT_THAT(TransfersTo(a.check.aliases, view), SizeIs(1));
  EXPECT_EQ(TransfersTo(a.check.aliases, view)[0].instruction, 1);
}

TEST_F(ElidedView, OfAnInputOrStateIsOneToo) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t of_cache = b.Planned(2, 0, {2, 2});
  const int32_t of_x = b.Planned(1, 0, {2, 2});
  b.Mul(of_cache, of_x, b.Planned(1, 64, {2, 2}));
  KeepOrder(b, x);
  const Analysed a(b);
  EXPECT_EQ(RootOf(a.check.aliases, of_cache), cache);
  EXPECT_EQ(RootOf(a.check.aliases, of_x), x);
  EXPECT_TRUE(IsSound(b));
}

TEST_F(ElidedView, IsNoneWhereTheElementTypeDiffers) {
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);
  const int32_t other = b_.Planned(1, 64, {4}, {}, ScalarType::kInt32);
  b_.Mul(other, other, b_.Planned(1, 128, {4}, {}, ScalarType::kInt32));
  KeepOrder(b_, x_);
  EXPECT_THAT(Analysed(b_).check.aliases.unexplained, ElementsAre(other));
}

TEST_F(ElidedView, IsNoneWhereThePlaceIsOnlyAPartOfTheBase) {
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);
  const int32_t part = b_.Planned(1, 64, {2});
  b_.Mul(part, part, b_.Planned(1, 128, {2}));
  KeepOrder(b_, x_);
  EXPECT_THAT(Analysed(b_).check.aliases.unexplained, ElementsAre(part));
}

TEST_F(ElidedView, WithoutAnOrderStandsForWhatWasMadeThere) {
  const int32_t view = b_.Planned(1, 64, {2, 2});
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);
  b_.Mul(view, b_.Constant(1, {1}), b_.Planned(1, 128, {2, 2}));
  const Analysed a(b_);
  ASSERT_FALSE(a.check.order.holds);
  ASSERT_THAT(TransfersTo(a.check.aliases, view), SizeIs(1));
  EXPECT_THAT(SourcesOf(a.check.aliases, TransfersTo(a.check.aliases, view)[0]), ElementsAre(base));
  EXPECT_THAT(a.check.aliases.uncertain, IsEmpty());
}

TEST_F(ElidedView, WithoutAnOrderIsUncertainWhereItsBytesWereMadeTwice) {
  const int32_t view = b_.Planned(1, 64, {2, 2});
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);
  b_.Mul(x_, x_, base);
  b_.Mul(view, b_.Constant(1, {1}), b_.Planned(1, 128, {2, 2}));
  const Analysed a(b_);
  ASSERT_FALSE(a.check.order.holds);
  EXPECT_THAT(a.check.aliases.uncertain, ElementsAre(view));
}

TEST_F(ElidedView, IsClobberedByAWriteBetweenItsMakingAndItsUse) {
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);  // 0
  const int32_t view = b_.Planned(1, 64, {4});
  const int32_t over = b_.Planned(1, 72, {4});
  b_.Mul(x_, x_, over);                       // 1
  b_.Mul(view, x_, b_.Planned(1, 128, {4}));  // 2
  KeepOrder(b_, x_);
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0], (Hit{view, over, 1, 2}));
}

TEST_F(ElidedView, OfStateMadeBeforeAStoreWantsTheOldValue) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t view = b.Planned(2, 0, {2, 2});
  const int32_t flat = b.Planned(1, 64, {4});
  b.Mul(x, x, flat);                             // 0: uses a later value than the view
  b.Copy(cache, flat);                           // 1
  b.Mul(view, view, b.Planned(1, 128, {2, 2}));  // 2
  KeepOrder(b, x);
  const auto hits = HitsOf(b);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0], (Hit{view, cache, 1, 2}));
}

TEST_F(ElidedView, OfStateMadeAfterAStoreWantsTheNewValue) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(cache, x);
  const int32_t view = b.Planned(2, 0, {2, 2});
  b.Mul(view, view, b.Planned(1, 128, {2, 2}));
  KeepOrder(b, x);
  EXPECT_TRUE(IsSound(b));
}

TEST_F(ElidedView, IsTakenOnceBeforeTheBranchesThatUseIt) {
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);  // 0
  const int32_t flag = b_.Bool(false);
  b_.Move(b_.Bool(true), flag);                // 1
  const int32_t jump = b_.JumpFalse(flag, 0);  // 2
  const int32_t view = b_.Planned(1, 64, {4});
  b_.Mul(view, x_, b_.Planned(1, 128, {4}));  // 3
  b_.SetTarget(jump, b_.Next());
  b_.Mul(view, x_, b_.Planned(1, 192, {4}));  // 4
  KeepOrder(b_, x_);
  const Analysed a(b_);
  ASSERT_TRUE(a.check.order.holds);
  const auto transfers = TransfersTo(a.check.aliases, view);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_EQ(transfers[0].instruction, 2);
}

TEST_F(ElidedView, StandsForItsOwnBytesOnceItIsWritten) {
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);  // 0
  const int32_t flag = b_.Bool(false);
  b_.Move(b_.Bool(true), flag);  // 1
  const int32_t view = b_.Planned(1, 64, {4});
  b_.Mul(view, x_, b_.Planned(1, 128, {4}));                       // 2
  b_.IndexPut(view, b_.Constant(1, {1}, ScalarType::kInt64), x_);  // 3
  const int32_t jump = b_.JumpFalse(flag, 0);                      // 4
  b_.SetTarget(jump, b_.Next());
  b_.Mul(view, x_, b_.Planned(1, 192, {4}));  // 5
  KeepOrder(b_, x_);
  const Analysed a(b_);
  ASSERT_TRUE(a.check.order.holds);
  const auto transfers = TransfersTo(a.check.aliases, view);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_EQ(transfers[0].instruction, 2);
}

TEST_F(ElidedView, IsNoneOfAValueThatIsStoredToOnlyLater) {
  const int32_t first = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, first);  // 0
  const int32_t later = b_.Planned(1, 64, {4});
  const int32_t view = b_.Planned(1, 64, {4});
  b_.Mul(view, x_, b_.Planned(1, 128, {4}));  // 1
  b_.Copy(later, x_);                         // 2
  b_.Mul(later, x_, b_.Planned(1, 192, {4}));
  KeepOrder(b_, x_);
  const Analysed a(b_);
  ASSERT_TRUE(a.check.order.holds);
  const auto transfers = TransfersTo(a.check.aliases, view);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_THAT(SourcesOf(a.check.aliases, transfers[0]), ElementsAre(first));
}

TEST_F(ElidedView, WithoutAnOrderMayBeUpdatedAtItsFirstUse) {
  const int32_t low = b_.Planned(1, 128, {4});
  const int32_t view = b_.Planned(1, 64, {4});
  const int32_t base = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, base);                                            // 0
  b_.IndexPut(view, b_.Constant(1, {1}, ScalarType::kInt64), x_);  // 1
  b_.Mul(x_, x_, low);
  b_.Output(view);
  const Analysed a(b_);
  ASSERT_FALSE(a.check.order.holds);
  const auto transfers = TransfersTo(a.check.aliases, view);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_EQ(transfers[0].instruction, 1);
  EXPECT_THAT(SourcesOf(a.check.aliases, transfers[0]), ElementsAre(base));
  EXPECT_EQ(RootOf(a.check.aliases, view), base);
}

TEST_F(ElidedView, WithItsBuffersNameHasTheBufferForItsRoot) {
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  const int32_t view = b_.Planned(2, 0, {2, 2}, "cache");
  const int32_t other = b_.Planned(2, 0, {4});
  b_.Mul(x_, x_, other);
  b_.Mul(view, view, b_.Planned(1, 128, {2, 2}));
  const Analysed a(b_);
  ASSERT_FALSE(a.check.order.holds);
  ASSERT_THAT(TransfersTo(a.check.aliases, view), SizeIs(1));
  EXPECT_EQ(RootOf(a.check.aliases, view), cache);
}

class ElidedConcat : public ::testing::Test {
 protected:
  ElidedConcat() : x_(b_.Planned(1, 0, {4})) { b_.Input(x_); }
  int32_t Half(uint64_t offset) {
    const int32_t half = b_.Planned(1, offset, {4});
    b_.Mul(x_, x_, half);
    return half;
  }
  // All of [64,96), read by a product.
  int32_t Whole() {
    const int32_t whole = b_.Planned(1, 64, {8});
    b_.Mul(whole, whole, b_.Planned(1, 128, {8}));
    return whole;
  }

  MethodBuilder b_;
  int32_t x_;
};

TEST_F(ElidedConcat, IsTiledExactlyByItsParts) {
  const int32_t left = Half(64);
  const int32_t right = Half(80);
  const int32_t whole = Whole();
  KeepOrder(b_, x_);
  const Analysed a(b_);
  ASSERT_THAT(TransfersTo(a.check.aliases, whole), SizeIs(1));
  EXPECT_THAT(SourcesOf(a.check.aliases, TransfersTo(a.check.aliases, whole)[0]),
              ElementsAre(left, right));
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ElidedConcat, IsNoneWithAGap) {
  Half(64);
  const int32_t whole = Whole();
  KeepOrder(b_, x_);
  EXPECT_THAT(Analysed(b_).check.aliases.unexplained, ElementsAre(whole));
}

TEST_F(ElidedConcat, IsNoneWhereAPartIsMadeTooLate) {
  Half(64);
  const int32_t whole = Whole();
  Half(80);
  KeepOrder(b_, x_);
  EXPECT_THAT(Analysed(b_).check.aliases.unexplained, ElementsAre(whole));
}

TEST_F(ElidedConcat, IsNoneWhereAPartHasAnotherElementType) {
  Half(64);
  const int32_t right = b_.Planned(1, 80, {4}, {}, ScalarType::kInt32);
  b_.Mul(right, right, right);
  const int32_t whole = Whole();
  KeepOrder(b_, x_);
  EXPECT_THAT(TransfersTo(Analysed(b_).check.aliases, whole), IsEmpty());
}

TEST_F(ElidedConcat, IsClobberedByAWriteOverOneOfItsParts) {
  Half(64);                        // 0
  const int32_t right = Half(80);  // 1
  const int32_t over = b_.Planned(1, 92, {4});
  b_.Mul(x_, x_, over);           // 2
  const int32_t whole = Whole();  // 3
  KeepOrder(b_, x_);
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_THAT(hits[0].victim, ::testing::AnyOf(right, whole));
  EXPECT_EQ(hits[0].writer, over);
  EXPECT_EQ(hits[0].instruction, 2);
  EXPECT_EQ(hits[0].reader, 3);
}

class EtView : public ::testing::Test {
 protected:
  EtView() : x_(b_.Planned(1, 0, {4})), base_(b_.Planned(1, 64, {4})), view_(b_.Unplanned({2, 2})) {
    b_.Input(x_);
    b_.Mul(x_, x_, base_);
    b_.Call("executorch_prim::et_view.default", {base_, b_.Int(2), view_});
  }

  MethodBuilder b_;
  int32_t x_;
  int32_t base_;
  int32_t view_;
};

TEST_F(EtView, LiesWhereItsBaseLies) {
  const Analysed a(b_);
  const auto transfers = TransfersTo(a.check.aliases, view_);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_TRUE(transfers[0].dynamic);
  EXPECT_EQ(transfers[0].phase, Phase::kAt);
  EXPECT_THAT(SourcesOf(a.check.aliases, transfers[0]), ElementsAre(base_));
}

TEST_F(EtView, MayBeReadWhileItsBaseStands) {
  b_.Mul(view_, view_, b_.Planned(1, 128, {2, 2}));
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(EtView, IsLostWhenItsBaseIsWrittenOver) {
  const int32_t over = b_.Planned(1, 68, {1});
  b_.Mul(x_, x_, over);                              // 2
  b_.Mul(view_, view_, b_.Planned(1, 128, {2, 2}));  // 3
  const Analysed a(b_);
  ASSERT_THAT(a.check.walk.clobbers, SizeIs(1));
  EXPECT_EQ(HitsOf(a.check.walk)[0], (Hit{view_, over, 2, 3}));
  EXPECT_EQ(a.check.walk.clobbers[0].holder, base_);
  EXPECT_EQ(a.check.walk.clobbers[0].bytes, (Place{1, 68, 72}));
}

class ReturnedName : public ::testing::Test {
 protected:
  ReturnedName() : x_(b_.Planned(1, 0, {4})) { b_.Input(x_); }
  // An in-place update of `self` that returns `slot`.
  void Put(int32_t self, int32_t slot) {
    const int32_t index = b_.Constant(1, {1}, ScalarType::kInt64);
    const int32_t list = b_.OptionalTensorList({index});
    b_.Call("aten::index_put_", {self, list, x_, b_.Bool(false), slot});
  }

  MethodBuilder b_;
  int32_t x_;
};

TEST_F(ReturnedName, MayBeAnotherValueAtTheSamePlace) {
  const int32_t self = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, self);
  const int32_t slot = b_.Planned(1, 64, {4});
  Put(self, slot);
  b_.Output(slot);
  const Analysed a(b_);
  const auto transfers = TransfersTo(a.check.aliases, slot);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_EQ(transfers[0].phase, Phase::kAfter);
  EXPECT_FALSE(transfers[0].dynamic);
  EXPECT_EQ(RootOf(a.check.aliases, slot), self);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ReturnedName, ThatIsABufferStaysItsOwnRoot) {
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  const int32_t self = b_.Planned(2, 0, {4});
  b_.Mul(x_, x_, self);
  Put(self, cache);
  EXPECT_EQ(RootOf(Analysed(b_).check.aliases, cache), cache);
}

TEST_F(ReturnedName, AtAnotherPlaceIsAHandle) {
  const int32_t self = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, self);
  const int32_t slot = b_.Planned(1, 128, {4});
  Put(self, slot);
  b_.Output(slot);
  const Analysed a(b_);
  ASSERT_THAT(TransfersTo(a.check.aliases, slot), SizeIs(1));
  EXPECT_TRUE(TransfersTo(a.check.aliases, slot)[0].dynamic);
  EXPECT_TRUE(IsSound(b_));
}

TEST_F(ReturnedName, KeepsTheWrittenBytesAliveUntilItIsRead) {
  const int32_t self = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, self);
  const int32_t slot = b_.Planned(1, 64, {4});
  Put(self, slot);  // 1
  const int32_t over = b_.Planned(1, 76, {4});
  b_.Mul(x_, x_, over);  // 2
  b_.Output(slot);       // 3
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0], (Hit{slot, over, 2, 3}));
}

TEST_F(ReturnedName, LosesTheOldNameThatIsReadAgain) {
  const int32_t self = b_.Planned(1, 64, {4});
  b_.Mul(x_, x_, self);  // 0
  const int32_t old = b_.Planned(1, 64, {4});
  Put(self, self);                           // 1
  b_.Mul(old, x_, b_.Planned(1, 128, {4}));  // 2: reads what was there before the update
  KeepOrder(b_, x_);
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0], (Hit{old, self, 1, 2}));
}

// The result over an operand that dies in the same instruction.
class OperandUnderResult : public ::testing::Test {
 protected:
  OperandUnderResult() : x_(b_.Planned(1, 0, {4, 4})), y_(b_.Planned(1, 64, {4, 4})) {
    b_.Input(x_);
    b_.Input(y_);
  }
  bool IsAllowed(int32_t result) {
    b_.Output(result);
    return IsSound(b_);
  }

  MethodBuilder b_;
  int32_t x_;
  int32_t y_;
};

TEST_F(OperandUnderResult, IsAllowedElementByElementAtOnePlace) {
  const int32_t out = b_.Planned(1, 0, {4, 4});
  b_.Add(x_, y_, out);
  EXPECT_TRUE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsAllowedForTheSameOperandTwice) {
  const int32_t out = b_.Planned(1, 0, {4, 4});
  b_.Add(x_, x_, out);
  EXPECT_TRUE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsAllowedForTheMainInputOfInferenceBatchNorm) {
  const int32_t mean = b_.Constant(1, {4});
  const int32_t out = b_.Planned(1, 0, {4, 4});
  const int32_t none = b_.Planned(1, 512, {0});
  const int32_t other_none = b_.Planned(1, 512, {0});
  const int32_t slots = b_.TensorList({out, none, other_none});
  b_.Call("aten::_native_batch_norm_legit_no_training.out",
          {x_, mean, mean, mean, mean, b_.Int(0), b_.Int(0), out, none, other_none, slots});
  EXPECT_TRUE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundForTheStatisticsOfInferenceBatchNorm) {
  const int32_t out = b_.Planned(1, 64, {4, 4});
  const int32_t none = b_.Planned(1, 512, {0});
  const int32_t other_none = b_.Planned(1, 512, {0});
  const int32_t slots = b_.TensorList({out, none, other_none});
  b_.Call("aten::_native_batch_norm_legit_no_training.out",
          {x_, y_, y_, y_, y_, b_.Int(0), b_.Int(0), out, none, other_none, slots});
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereTheOperatorMovesElements) {
  const int32_t out = b_.Planned(1, 0, {4, 4});
  b_.Flip(x_, out);
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereTheOperatorIsUnknown) {
  const int32_t out = b_.Planned(1, 0, {4, 4});
  b_.Call("my::op.out", {x_, b_.Int(1), out, out});
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereThePlacesOnlyOverlap) {
  const int32_t out = b_.Planned(1, 32, {4, 4});
  b_.Add(x_, x_, out);
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereTheOperandIsBroadcast) {
  const int32_t row = b_.Planned(1, 128, {4});
  b_.Input(row);
  const int32_t out = b_.Planned(1, 128, {4, 4});
  b_.Add(x_, row, out);
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereAnotherOperandOverlapsInPart) {
  const int32_t shifted = b_.Planned(1, 32, {4, 4});
  b_.Input(shifted);
  const int32_t out = b_.Planned(1, 0, {4, 4});
  b_.Add(x_, shifted, out);
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereTheDimOrderDiffers) {
  const int32_t out = b_.Planned(1, 0, {4, 4});
  const Range order = b_.TensorAt(out).dim_order;
  b_.method().ints[order.first] = 1;
  b_.method().ints[order.first + 1] = 0;
  b_.Mul(x_, x_, out);
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereTheElementsGrow) {
  // Same bytes: sixteen floats under eight doubles.
  const int32_t out = b_.Planned(1, 0, {2, 4}, {}, ScalarType::kFloat64);
  b_.Mul(x_, x_, out);
  EXPECT_FALSE(IsAllowed(out));
}

TEST_F(OperandUnderResult, IsFoundWhereTheOperandIsReadAgain) {
  const int32_t out = b_.Planned(1, 0, {4, 4});
  b_.Add(x_, y_, out);  // 0
  const int32_t next = b_.Planned(1, 256, {4, 4});
  b_.Mul(x_, out, next);  // 1
  b_.Output(next);
  const auto hits = HitsOf(b_);
  ASSERT_THAT(hits, SizeIs(1));
  EXPECT_EQ(hits[0], (Hit{x_, out, 0, 1}));
}

TEST_F(OperandUnderResult, IsAllowedForAnIndexedStoreOverItself) {
  const int32_t self = b_.Planned(1, 256, {4, 4});
  b_.Mul(x_, y_, self);
  b_.IndexPut(self, b_.Constant(1, {1}, ScalarType::kInt64), x_);
  EXPECT_TRUE(IsAllowed(self));
}

TEST_F(OperandUnderResult, IsFoundForAnIndexedStoreOfAnOverlappingValue) {
  const int32_t self = b_.Planned(1, 32, {4, 4});
  b_.IndexPut(x_, b_.Constant(1, {1}, ScalarType::kInt64), self);
  b_.Input(self);
  EXPECT_FALSE(IsAllowed(x_));
}

}  // namespace
}  // namespace pteproof::meaning
