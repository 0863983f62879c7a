#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rule_names.h"
#include "properties/bank_waste.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A chain of sums, each result at the next of these offsets; two values of 32 bytes live at a time.
Method Chain(const std::vector<uint64_t>& offsets) {
  MethodBuilder b;
  int32_t last = b.Planned(1, offsets.front(), {8});
  b.Input(last);
  for (size_t i = 1; i < offsets.size(); ++i) {
    const int32_t next = b.Planned(1, offsets[i], {8});
    b.Add(last, last, next);
    last = next;
  }
  b.Output(last);
  return b.Build();
}

TEST(PlanWaste, NotesABankFarAboveItsLoad) {
  const Report report = Check(ProgramOf({Chain({0, 32, 64, 96, 128})}));
  EXPECT_THAT(LinesOf(report), ElementsAre("note plan-waste forward bank 1 [64,160)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  const std::string explanation = ExplanationOf(report, rule::kPlanWaste);
  EXPECT_THAT(explanation, HasSubstr("160 bytes"));
  EXPECT_THAT(explanation, HasSubstr("96 bytes"));  // to be saved
}

// The other method's state in this bank is no plan's to save: 192 bytes, of which 64 + 32 are
// needed.
TEST(PlanWaste, DoesNotPromiseTheBytesOfAnotherMethodsState) {
  Method chain = Chain({0, 32, 64, 96, 128});
  chain.bank_sizes[1] = 192;
  MethodBuilder put("put");
  const int32_t state = put.Planned(1, 160, {8}, "state");
  const int32_t x = put.Planned(1, 0, {8});
  put.Input(x);
  put.Copy(state, x);
  const Report report = Check(ProgramOf({chain, put.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kPlanWaste),
              Contains("note plan-waste forward bank 1 [64,192)"));
  EXPECT_THAT(ExplanationOf(report, rule::kPlanWaste), HasSubstr("save up to 96 bytes"));
}

// 224 bytes: 64 of the chain, 32 of its own state and 32 of the other method's are needed.
TEST(PlanWaste, CountsTheMethodsOwnStateAsLoadAndAnothersBeside) {
  MethodBuilder b;
  const int32_t own = b.Planned(1, 160, {8}, "own");
  int32_t last = b.Planned(1, 0, {8});
  b.Input(last);
  for (const uint64_t offset : {32U, 64U, 96U, 128U}) {
    const int32_t next = b.Planned(1, offset, {8});
    b.Add(last, own, next);
    last = next;
  }
  b.Output(last);
  b.method().bank_sizes[1] = 224;
  MethodBuilder put("put");
  const int32_t state = put.Planned(1, 192, {8}, "state");
  const int32_t x = put.Planned(1, 0, {8});
  put.Input(x);
  put.Copy(state, x);
  const Report report = Check(ProgramOf({b.Build(), put.Build()}));
  EXPECT_THAT(ExplanationOf(report, rule::kPlanWaste), HasSubstr("save up to 96 bytes"));
}

// Of [160,192) and [176,208) each byte once: 64 + 48 of 208 bytes are needed.
TEST(PlanWaste, CountsBytesOfTwoOtherMethodsStatesOnce) {
  Method chain = Chain({0, 32, 64, 96, 128});
  chain.bank_sizes[1] = 208;
  const auto put = [](const char* name, uint64_t offset) {
    MethodBuilder b(name);
    const int32_t state = b.Planned(1, offset, {8}, name);
    const int32_t x = b.Planned(1, 0, {8});
    b.Input(x);
    b.Copy(state, x);
    return b.Build();
  };
  const Report report = Check(ProgramOf({chain, put("one", 160), put("two", 176)}));
  EXPECT_THAT(ExplanationOf(report, rule::kPlanWaste), HasSubstr("save up to 96 bytes"));
}

TEST(PlanWaste, IsSilentForABankThatIsAsSmallAsCanBe) {
  const Report report = Check(ProgramOf({Chain({0, 32, 0, 32, 0})}));
  EXPECT_THAT(LinesOf(report), IsEmpty());
  ASSERT_EQ(report.banks.size(), 1U);
  EXPECT_EQ(report.banks[0].size, 64U);
  EXPECT_EQ(report.banks[0].load, 64U);
}

TEST(PlanWaste, IsSilentForAFewBytes) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Chain({0, 32, 64})}))), IsEmpty());
}

// Values of so many floats at these places, none of which is needed at the same time as another.
Report OneAfterTheOther(const std::vector<std::pair<uint64_t, int32_t>>& places) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {1});
  b.Input(x);
  for (const auto& [place, floats] : places) {
    const int32_t v = b.Planned(1, place, {floats});
    b.Mul(x, x, v);
    b.Mul(v, v, x);
  }
  b.Output(x);
  return Check(ProgramOf({b.Build()}));
}

TEST(PlanWaste, IsToldFromSixtyFourBytesOn) {
  EXPECT_THAT(LinesOf(OneAfterTheOther({{0, 16}, {64, 16}}), rule::kPlanWaste),
              ElementsAre("note plan-waste forward bank 1 [64,128)"));
  EXPECT_THAT(LinesOf(OneAfterTheOther({{0, 12}, {48, 12}}), rule::kPlanWaste), IsEmpty());
}

TEST(PlanWaste, IsToldAboveAQuarterOfWhatIsNeeded) {
  EXPECT_THAT(LinesOf(OneAfterTheOther({{0, 64}, {256, 16}}), rule::kPlanWaste), IsEmpty());
  EXPECT_THAT(LinesOf(OneAfterTheOther({{0, 64}, {256, 20}}), rule::kPlanWaste),
              ElementsAre("note plan-waste forward bank 1 [256,336)"));
}

// An updated value lives beside the state until the store, and beside a chain of sums at these
// offsets, of which two live at a time. All have 256 bytes; the state and its update lie at 0.
Report StoresLate(const std::vector<uint64_t>& chain) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {64});
  b.Input(x);
  const int32_t state = b.Planned(1, 0, {64}, "state");
  const int32_t updated = b.Planned(1, 256, {64});
  b.Mul(state, x, updated);
  int32_t last = updated;
  for (const uint64_t offset : chain) {
    const int32_t next = b.Planned(1, offset, {64});
    b.Add(last, last, next);
    last = next;
  }
  b.Copy(state, updated);
  b.Output(last);
  return Check(ProgramOf({b.Build()}));
}

TEST(PlanWaste, DoesNotPromiseTheBytesOfStateBeforeItsStore) {
  const Report report = StoresLate({512, 768, 512, 768});
  EXPECT_THAT(LinesOf(report, rule::kPlanWaste), IsEmpty());
  EXPECT_EQ(report.banks[0].size, 1024U);
  EXPECT_EQ(report.banks[0].load, 1024U);
  EXPECT_EQ(report.banks[0].early_stores, 256U);
}

TEST(PlanWaste, TellsApartWhatEarlierStoresSave) {
  const Report report = StoresLate({512, 768, 1024, 1280});
  EXPECT_THAT(LinesOf(report, rule::kPlanWaste),
              Contains("note plan-waste forward bank 1 [1024,1536)"));
  EXPECT_THAT(ExplanationOf(report, rule::kPlanWaste),
              HasSubstr("A better plan may save up to 512 bytes, and stores that come earlier up "
                        "to 256 bytes besides.\n"));
}

// The state is read until its store: no earlier store saves anything.
TEST(PlanWaste, TellsNoEarlierStoresWhereStateIsReadUntilItsStore) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 64, {16});
  b.Input(x);
  const int32_t state = b.Planned(1, 0, {16}, "state");
  b.Mul(state, x, x);
  b.Copy(state, x);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_EQ(report.banks[0].load, 128U);
  EXPECT_EQ(report.banks[0].early_stores, 0U);
}

// One value of 64 bytes, and a bank that ends so many bytes behind it.
Report WithBytesBehind(uint64_t behind, bool with_delegate) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {16});
  b.Input(x);
  const int32_t y = b.Unplanned({16});
  if (with_delegate) {
    b.Delegate({x, y});
  } else {
    b.Mul(x, x, y);
  }
  b.Output(y);
  b.method().bank_sizes[1] = 64 + behind;
  return Check(ProgramOf({b.Build()}));
}

TEST(PlanWaste, DoesNotCountTheGuardOfDelegates) {
  const Report report = WithBytesBehind(64, true);
  EXPECT_THAT(LinesOf(report, rule::kPlanWaste), IsEmpty());
  EXPECT_EQ(report.banks[0].guard, 64U);
  EXPECT_EQ(WasteOf(report.banks[0]), 0U);
  EXPECT_EQ(WithBytesBehind(48, true).banks[0].guard, 48U);
}

TEST(PlanWaste, CountsAsManyBytesWhereNoDelegateIsCalled) {
  const Report report = WithBytesBehind(64, false);
  EXPECT_THAT(LinesOf(report, rule::kPlanWaste),
              ElementsAre("note plan-waste forward bank 1 [64,128)"));
  EXPECT_EQ(WasteOf(report.banks[0]), 64U);
}

TEST(PlanWaste, TakesNoMoreThanSixtyFourBytesForAGuard) {
  EXPECT_EQ(WithBytesBehind(80, true).banks[0].guard, 0U);
  EXPECT_EQ(WasteOf(WithBytesBehind(80, true).banks[0]), 80U);
}

// A method that keeps `floats` floats at `place` of bank 2.
Method KeepsFloats(const std::string& name, uint64_t place, int32_t floats) {
  MethodBuilder b(name);
  const int32_t state = b.Planned(2, place, {floats}, "state of " + name);
  const int32_t x = b.Planned(1, 0, {floats});
  b.Input(x);
  b.Mul(state, x, x);
  b.Copy(state, x);
  b.Output(x);
  return b.Build();
}

// The bank is as large as both need.
TEST(PlanWaste, DoesNotCountTheStateOfOtherMethods) {
  Method small = KeepsFloats("small", 0, 16);
  Method large = KeepsFloats("large", 64, 64);
  small.bank_sizes[2] = large.bank_sizes[2];
  EXPECT_THAT(LinesOf(Check(ProgramOf({small, large})), rule::kPlanWaste), IsEmpty());
  EXPECT_THAT(LinesOf(Check(ProgramOf({large, small})), rule::kPlanWaste), IsEmpty());
  EXPECT_THAT(LinesOf(Check(ProgramOf({large, small})), rule::kPhantomSlot), IsEmpty());
}

// What another method keeps behind this one's bank is no reason for its size.
TEST(PlanWaste, IsToldThoughAnotherMethodKeepsStateBehindTheBank) {
  MethodBuilder b("step");
  const int32_t x = b.Planned(1, 0, {1});
  b.Input(x);
  for (const uint64_t place : {0U, 64U}) {
    const int32_t v = b.Planned(2, place, {16});
    b.Mul(x, x, v);
    b.Mul(v, v, x);
  }
  b.Output(x);
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({b.Build(), KeepsFloats("keeps", 256, 16)})), rule::kPlanWaste),
      Contains("note plan-waste step bank 2 [64,128)"));
}

TEST(PlanWaste, SaysWhatMayBeSavedBesideTheStateOfOtherMethods) {
  MethodBuilder b("step");
  const int32_t x = b.Planned(1, 0, {1});
  b.Input(x);
  for (const uint64_t place : {64U, 128U, 192U}) {
    const int32_t v = b.Planned(2, place, {16});
    b.Mul(x, x, v);
    b.Mul(v, v, x);
  }
  b.Output(x);
  const Report report = Check(ProgramOf({b.Build(), KeepsFloats("keeps", 0, 16)}));
  EXPECT_THAT(ExplanationOf(report, rule::kPlanWaste),
              HasSubstr("Bank 2 of 'step' has 256 bytes, and its peak live bytes are 64.\n"
                        "A better plan may save up to 128 bytes.\n"));
}

}  // namespace
}  // namespace pteproof
