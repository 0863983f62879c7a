#include "properties/checks/rules/overlap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/rule_names.h"
#include "tests/properties/checks/analysed.h"
#include "tests/properties/checks/made_names.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ClobberExplanation : public MadeNames {
 protected:
  void Put(int32_t self) { b_.IndexPut(self, b_.Constant(1, {1}, ScalarType::kInt64), x_); }
  // The explanation of the first clobber.
  Finding First() const {
    const Analysed a(b_);
    if (a.check.walk.clobbers.empty()) {
      ADD_FAILURE() << "no clobber";
      return {};
    }
    return TellClobber(a.check, a.check.walk.clobbers[0]);
  }
};

TEST_F(ClobberExplanation, OfTwoLocalsIsAPlanOverlap) {
  const int32_t v = Made(0);
  const int32_t over = Made(8);
  Use(v);
  const Finding finding = First();
  EXPECT_EQ(finding.rule, rule::kPlanOverlap);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.instruction, 1);
  EXPECT_THAT(finding.values, ElementsAre(v, over));
  EXPECT_EQ(finding.bytes, (ByteRange{8, 16}));
}

// A write in place is one of those, too, unless both are names of the same bytes.
TEST_F(ClobberExplanation, OfALocalUnderAnUpdateOfAnotherIsAPlanOverlap) {
  const int32_t v = Made(0);
  const int32_t over = Made(8);
  b_.Copy(over, x_);
  Use(v);
  EXPECT_EQ(First().instruction, 2);
  EXPECT_EQ(First().rule, rule::kPlanOverlap);
}

TEST_F(ClobberExplanation, TellsInThreeLinesWhoReadsWhatAndWhoWroteOverIt) {
  const int32_t v = Made(0);
  Made(8);
  Use(v);
  const std::string explanation = First().explanation;
  EXPECT_EQ(std::ranges::count(explanation, '\n'), 2);
  EXPECT_THAT(explanation, HasSubstr("Instruction 2 (aten::mul.out) reads v1"));
  EXPECT_THAT(explanation, HasSubstr("v1 bank 1 [0,16) written by instruction 0"));
  EXPECT_THAT(explanation, HasSubstr("bank 1 [8,16)"));
  EXPECT_THAT(explanation, HasSubstr("written by instruction 1"));
}

TEST_F(ClobberExplanation, NamesEachValueAndInstructionInItsPlace) {
  const int32_t v = Made(0);
  Made(8);
  Use(v);
  EXPECT_EQ(First().explanation,
            "Instruction 2 (aten::mul.out) reads v1 and expects v1 bank 1 [0,16) written by "
            "instruction 0.\n"
            "At that time bank 1 [8,16) holds v2 bank 1 [8,24), written by instruction 1 "
            "(aten::mul.out).\n"
            "Instruction 2 (aten::mul.out) gets a wrong value.");
  EXPECT_EQ(First().fix,
            "Plan the method again with the default memory-planning pass. If that made this plan, "
            "repair it (`pteproof replan --repair`).");
}

TEST_F(ClobberExplanation, OfAnOutputTellsWhichOne) {
  const int32_t v = Made(0);
  Made(8);
  b_.Output(x_);
  b_.Output(v);
  const std::string explanation = First().explanation;
  EXPECT_THAT(explanation, HasSubstr("Output 1 reads v1"));
  EXPECT_THAT(explanation, HasSubstr("Output 1 gets a wrong value"));
}

TEST_F(ClobberExplanation, OfAnOutputThatIsReadBeforeTellsTheFirstReader) {
  const int32_t v = Made(0);
  Made(8);
  Use(v);
  b_.Output(v);
  EXPECT_THAT(First().explanation, HasSubstr("Instruction 2 (aten::mul.out) reads v1"));
}

TEST_F(ClobberExplanation, OfAnOutputThatIsAViewTellsWhichOne) {
  Made(0);
  const int32_t view = b_.Planned(1, 0, {4});
  Made(8);
  KeepOrder();
  b_.Output(view);
  EXPECT_THAT(First().explanation, HasSubstr("Output 0 reads"));
}

// The view is made after the loss, and lies in the bytes that were lost.
TEST_F(ClobberExplanation, OfAnOutputsBaseTellsWhichOutput) {
  Made(0);
  Made(8);
  Use(x_);
  const int32_t view = b_.Planned(1, 0, {4});
  KeepOrder();
  b_.Output(x_);
  b_.Output(view);
  EXPECT_THAT(First().explanation,
              HasSubstr("Output 1 reads v1 and expects v1 bank 1 [0,16) written by"));
}

TEST_F(ClobberExplanation, OfAnInputThatTheFirstInstructionUpdatesTellsThat) {
  const int32_t y = b_.Planned(1, 0, {4});
  b_.Input(y);
  b_.Copy(y, x_);
  Made(8);
  Use(y);
  EXPECT_THAT(First().explanation, HasSubstr("expects v1 bank 1 [0,16) written by instruction 0."));
}

TEST_F(ClobberExplanation, OfALaterStateUnderAnEarlierOneIsTheSharedLayoutToo) {
  const int32_t a = b_.Planned(1, 0, {4}, "a");
  const int32_t b = b_.Planned(1, 8, {4}, "b");
  b_.Copy(b, x_);
  b_.Copy(a, x_);
  EXPECT_EQ(First().rule, rule::kSharedLayout);
  EXPECT_THAT(First().values, ElementsAre(b, a));
}

TEST_F(ClobberExplanation, OfWhatNobodyObservesIsAWarningInThreeLines) {
  const int32_t v = Made(0);
  Made(8);
  Use(v);
  const Analysed a(b_);
  ASSERT_FALSE(a.check.walk.clobbers.empty());
  const Finding finding = TellClobber(a.check, a.check.walk.clobbers[0], false);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(std::ranges::count(finding.explanation, '\n'), 2);
  EXPECT_THAT(finding.explanation, HasSubstr("no output shows it"));
}

TEST_F(ClobberExplanation, OfATemporaryOverStateIsStateClobbered) {
  const int32_t cache = b_.Planned(1, 0, {4}, "cache");
  Made(0);
  Use(cache);
  EXPECT_EQ(First().rule, rule::kStateClobbered);
}

TEST_F(ClobberExplanation, OfAStateLostForTheNextCallSaysSo) {
  const int32_t cache = b_.Planned(1, 0, {4}, "cache");
  b_.Copy(cache, x_);
  Made(0);
  const Finding finding = First();
  EXPECT_EQ(finding.rule, rule::kStateClobbered);
  EXPECT_EQ(finding.values.front(), cache);
  EXPECT_EQ(finding.explanation,
            "The next call reads v1 and expects v1 'cache' bank 1 [0,16) written by instruction "
            "0.\n"
            "At that time bank 1 [0,16) holds v3 bank 1 [0,16), written by instruction 1 "
            "(aten::mul.out).\n"
            "Every later call gets a wrong value of the buffer.");
}

TEST_F(ClobberExplanation, OfOneStateOverAnotherIsTheSharedLayout) {
  const int32_t a = b_.Planned(1, 0, {4}, "a");
  const int32_t b = b_.Planned(1, 8, {4}, "b");
  b_.Copy(a, x_);
  b_.Copy(b, x_);
  EXPECT_EQ(First().rule, rule::kSharedLayout);
  EXPECT_EQ(First().fix, "Give each buffer bytes of its own.");
}

TEST_F(ClobberExplanation, OfAViewOfStateReadAfterTheStoreIsAnEntryValueLost) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t view = b.Planned(2, 0, {2, 2});
  b.Mul(x, x, b.Planned(1, 64, {4}));
  b.Copy(cache, x);
  b.Mul(view, view, b.Planned(1, 128, {2, 2}));
  for (uint64_t i = 0; i < 4; ++i) b.Mul(x, x, b.Planned(1, 512 + 16 * i, {4}));
  const Analysed a(b);
  ASSERT_FALSE(a.check.walk.clobbers.empty());
  EXPECT_EQ(TellClobber(a.check, a.check.walk.clobbers[0]).rule, rule::kEntryValueLost);
}

TEST_F(ClobberExplanation, OfABranchsResultAfterTheJoinIsARegionEscape) {
  const int32_t joined = b_.Unplanned({4});
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t v = Made(0);
  const int32_t jump = b_.JumpFalse(flag, 0);
  b_.Move(v, joined);
  b_.SetTarget(jump, b_.Next());
  const int32_t over = Made(4);
  Use(joined);
  const Finding finding = First();
  EXPECT_EQ(finding.rule, rule::kRegionEscape);
  EXPECT_THAT(finding.values, ElementsAre(joined, over, v));
  EXPECT_EQ(finding.fix, "Clone each result after its cond, and use only the clone.");
}

TEST_F(ClobberExplanation, OfAValueThatNoMoveTouchesIsNoRegionEscape) {
  const int32_t joined = b_.Unplanned({4});
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t moved = b_.Planned(4, 0, {4});
  b_.Mul(x_, x_, moved);
  const int32_t jump = b_.JumpFalse(flag, 0);
  b_.Move(moved, joined);
  b_.SetTarget(jump, b_.Next());
  const int32_t v = Made(0);
  Made(4);
  Use(v);
  EXPECT_EQ(First().rule, rule::kPlanOverlap);
}

TEST_F(ClobberExplanation, OfAnElidedViewIsAnAliasLifetime) {
  Made(0);
  const int32_t view = b_.Planned(1, 0, {4});
  Made(8);
  Use(view);
  KeepOrder();
  EXPECT_EQ(First().rule, rule::kAliasLifetime);
  EXPECT_EQ(First().fix, "Export without view elision.");
}

TEST_F(ClobberExplanation, OfAViewLostToAnInPlaceUpdateIsAnAliasLifetime) {
  const int32_t v = Made(0);
  const int32_t view = b_.Planned(1, 0, {4});
  Put(v);
  Use(view);
  KeepOrder();
  EXPECT_EQ(First().rule, rule::kAliasLifetime);
}

TEST_F(ClobberExplanation, OfAnUpdatedValueIsAnAliasLifetime) {
  const int32_t v = Made(0);
  Put(v);
  Made(0);
  Use(v);
  EXPECT_EQ(First().rule, rule::kAliasLifetime);
}

TEST_F(ClobberExplanation, OfAResultOverAnOperandThatIsReadAgainIsInPlaceSingleUse) {
  const int32_t v = Made(0);
  const int32_t over = b_.Planned(1, 0, {4});
  b_.Mul(v, x_, over);
  Use(v);
  const Finding finding = First();
  EXPECT_EQ(finding.rule, rule::kInPlaceSingleUse);
  EXPECT_THAT(finding.values, ElementsAre(v, over));
}

TEST_F(ClobberExplanation, OfAResultOverAnInputInTheFirstInstructionIsInPlaceSingleUse) {
  b_.Mul(x_, x_, b_.Planned(2, 0, {4}));
  Use(x_);
  EXPECT_EQ(First().rule, rule::kInPlaceSingleUse);
}

TEST_F(ClobberExplanation, OfAnInputSetByTheCallerNamesTheCaller) {
  const int32_t y = b_.Planned(2, 8, {4});
  b_.Input(y);
  b_.Mul(x_, y, b_.Planned(1, 0, {4}));
  const Finding finding = First();
  EXPECT_EQ(finding.rule, rule::kPlanOverlap);
  EXPECT_EQ(finding.instruction, -1);
  EXPECT_THAT(finding.explanation, HasSubstr("the caller"));
  EXPECT_THAT(finding.explanation, HasSubstr("input v"));
}

TEST_F(ClobberExplanation, OfAValueThatNothingMakesOnSomePathIsUndecided) {
  const int32_t flag = b_.Bool(false);
  b_.Move(b_.Bool(true), flag);
  const int32_t jump = b_.JumpFalse(flag, 0);
  const int32_t v = Made(0);
  b_.SetTarget(jump, b_.Next());
  Use(x_);
  const int32_t reader = Use(v);
  const Analysed a(b_);
  ASSERT_FALSE(a.check.walk.unmade.empty());
  const Finding finding = TellUnmade(a.check, a.check.walk.unmade[0]);
  EXPECT_EQ(finding.rule, rule::kReadBeforeWrite);
  EXPECT_EQ(finding.severity, Severity::kNote);
  EXPECT_TRUE(finding.undecided);
  EXPECT_EQ(finding.instruction, reader);
  EXPECT_THAT(finding.values, ElementsAre(v));
  EXPECT_EQ(finding.explanation,
            "Instruction 4 (aten::mul.out) reads v3 bank 1 [0,16).\n"
            "On some path from the start of the method no instruction has written it.\n"
            "If a call takes that path, the reader gets the bytes that were there before.");
  EXPECT_EQ(finding.fix,
            "Write the value on every path that leads to the read, or, if no call takes the "
            "others, accept the finding in a manifest (`suppress`).");
}

TEST_F(ClobberExplanation, OfABranchsResultBeforeItIsMovedIsARegionEscape) {
  const int32_t joined = b_.Unplanned({4});
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t jump = b_.JumpFalse(flag, 0);
  const int32_t v = Made(0);
  Made(4);
  b_.Mul(v, x_, b_.Planned(4, 0, {4}));
  b_.Move(v, joined);
  b_.SetTarget(jump, b_.Next());
  Use(joined);
  EXPECT_EQ(First().rule, rule::kRegionEscape);
}

TEST_F(ClobberExplanation, OfAnInputThatTheCallerSetsOverStateIsStateClobbered) {
  const int32_t cache = b_.Planned(1, 0, {4}, "cache");
  const int32_t y = b_.Planned(1, 8, {4});
  b_.Input(y);
  b_.Mul(cache, y, b_.Planned(3, 0, {4}));
  EXPECT_EQ(First().rule, rule::kStateClobbered);
}

TEST_F(ClobberExplanation, OfATileOfAnOutputSaysThatTheOutputReadsIt) {
  Made(64);
  const int32_t right = Made(80);
  Made(92);
  KeepOrder();
  b_.Output(b_.Planned(1, 64, {8}));
  EXPECT_EQ(First().values.front(), right);
  EXPECT_THAT(First().explanation, ::testing::StartsWith("The output reads v2 and expects v2 "));
}

TEST_F(ClobberExplanation, OfAConcatenationThatIsMadeBeforeSaysOfWhat) {
  Made(64);
  Made(80);
  const int32_t whole = b_.Planned(1, 64, {8});
  Made(92);
  KeepOrder();
  b_.Output(whole);
  EXPECT_EQ(First().values.front(), whole);
  EXPECT_THAT(First().explanation,
              ::testing::StartsWith("Output 0 reads v3 and expects v3 bank 1 [64,96), the bytes of "
                                    "v1 and v2.\n"));
}

}  // namespace
}  // namespace pteproof::checks
