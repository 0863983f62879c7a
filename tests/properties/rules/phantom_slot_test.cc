#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A value that no instruction touches lies between the input and the result, or is left out.
Method WithSlot(bool slot) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  if (slot) b.Planned(1, 32, {56});
  const int32_t out = b.Planned(1, slot ? 256 : 32, {8});
  b.Add(x, x, out);
  b.Output(out);
  return b.Build();
}

// The in-place result's own slot stays reserved.
TEST(PhantomSlot, WarnsOfReservedBytesThatNoInstructionTouches) {
  const Report report = Check(ProgramOf({WithSlot(true)}));
  EXPECT_THAT(LinesOf(report, rule::kPhantomSlot),
              ElementsAre("warning phantom-slot forward bank 1 [32,256)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_THAT(ExplanationOf(report, rule::kPhantomSlot), HasSubstr("224 bytes"));
  ASSERT_EQ(report.banks.size(), 1U);
  EXPECT_EQ(report.banks[0].phantom, 224U);
}

// A cache of 256 bytes, and as many unused ones elsewhere. The cache is updated in place,
// is stored to as a whole, or is read only.
Report BesideACache(std::string_view op, int32_t cache_elements = 64) {
  MethodBuilder b("step");
  const int32_t cache = b.Planned(2, 0, {cache_elements}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  if (op == "aten::index_put_") {
    b.IndexPut(cache, b.Constant(1, {1}, ScalarType::kInt64), x);
  } else if (op == "aten::copy_") {
    const int32_t all = b.Planned(3, 0, {cache_elements});
    b.Mul(cache, x, all);
    b.Copy(cache, all);
  } else {
    b.Mul(cache, x, b.Planned(3, 0, {cache_elements}));
  }
  const int32_t out = b.Planned(1, 272, {4});
  b.Add(x, x, out);
  b.Output(out);
  Program program = ProgramOf({b.Build()});
  program.constants.resize(2);
  return Check(program);
}

// Catalogue 35.
TEST(PhantomSlot, NamesTheInPlaceUpdateWhoseResultMayHaveHadTheSlot) {
  EXPECT_EQ(ExplanationOf(BesideACache("aten::index_put_"), rule::kPhantomSlot),
            "256 bytes of bank 1 are reserved in 'step' and used by no instruction "
            "(bank 1 [16,272)).\n"
            "Instruction 0 (aten::index_put_) updates v0 'cache' bank 2 [0,256) in place: an "
            "exporter that reserves its result as well leaves such a slot.\n"
            "Results are right, but the device reserves memory that it never uses.");
}

// Nothing is in place, or what is has no such slot: one that is too small, or starts before the
// bank.
TEST(PhantomSlot, NamesNoCauseThatTheProgramDoesNotShow) {
  constexpr std::string_view kNeutral =
      "256 bytes of bank 1 are reserved in 'step' and used by no instruction "
      "(bank 1 [16,272)).\n"
      "The file does not show what the exporter reserved them for.\n"
      "Results are right, but the device reserves memory that it never uses.";
  EXPECT_EQ(ExplanationOf(BesideACache("aten::mul.out"), rule::kPhantomSlot), kNeutral);
  EXPECT_EQ(ExplanationOf(BesideACache("aten::copy_"), rule::kPhantomSlot), kNeutral);
  EXPECT_EQ(ExplanationOf(BesideACache("aten::index_put_", 32), rule::kPhantomSlot), kNeutral);
  EXPECT_EQ(ExplanationOf(BesideACache("aten::index_put_", 256), rule::kPhantomSlot), kNeutral);
  EXPECT_THAT(ExplanationOf(Check(ProgramOf({WithSlot(true)})), rule::kPhantomSlot),
              testing::Not(HasSubstr("in place")));
}

TEST(PhantomSlot, IsOneThoughAValueWithoutBytesLiesInIt) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t none = b.Planned(1, 160, {0});
  b.Input(x);
  b.Input(none);
  const int32_t out = b.Planned(1, 256, {8});
  b.Add(x, x, out);
  b.Output(out);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kPhantomSlot),
              ElementsAre("warning phantom-slot forward bank 1 [32,256)"));
  ASSERT_EQ(report.banks.size(), 1U);
  EXPECT_THAT(report.banks[0].phantoms, SizeIs(1));
}

TEST(PhantomSlot, IsSilentWhereEveryByteIsUsed) {
  const Report report = Check(ProgramOf({WithSlot(false)}));
  EXPECT_THAT(LinesOf(report), IsEmpty());
  ASSERT_EQ(report.banks.size(), 1U);
  EXPECT_EQ(report.banks[0].phantom, 0U);
}

// A shared bank is as large in every method as all of its state, used here or not.
TEST(PhantomSlot, IsSilentForStateThatOnlyAnotherMethodUses) {
  MethodBuilder put("put");
  const int32_t first = put.Planned(2, 0, {8}, "a");
  const int32_t second = put.Planned(2, 32, {64}, "b");
  const int32_t x = put.Planned(1, 0, {8});
  const int32_t y = put.Planned(1, 32, {64});
  put.Input(x);
  put.Input(y);
  put.Copy(first, x);
  put.Copy(second, y);
  MethodBuilder get("get");
  const int32_t state = get.Planned(2, 0, {8}, "a");
  const int32_t out = get.Planned(1, 0, {8});
  get.Call("aten::relu.out", {state, out, out});
  get.Output(out);
  get.method().bank_sizes[2] = 288;
  const Report report = Check(ProgramOf({put.Build(), get.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kPhantomSlot), IsEmpty());
}

// What lies between the end of a value and the next aligned offset is padding.
TEST(PhantomSlot, IsSilentForPadding) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {3});
  b.Input(x);
  const int32_t out = b.Planned(1, 16, {3});
  b.Add(x, x, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// An input or an output that no instruction touches is the caller's to use.
TEST(PhantomSlot, IsSilentForUnusedInputs) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t unused = b.Planned(1, 32, {64});
  b.Input(x);
  b.Input(unused);
  const int32_t out = b.Planned(1, 288, {8});
  b.Add(x, x, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kPhantomSlot), IsEmpty());
}

// 'put' keeps state in [64,96) of a bank of its own size; 'get' has this one of that size.
Method GetBeside(uint64_t size) {
  MethodBuilder get("get");
  const int32_t x = get.Planned(1, 0, {8});
  get.Input(x);
  get.Output(x);
  get.method().bank_sizes[1] = size;
  return get.Build();
}

Method PutAbove() {
  MethodBuilder put("put");
  const int32_t state = put.Planned(1, 64, {8}, "state");
  const int32_t x = put.Planned(1, 0, {16});
  put.Input(x);
  put.Copy(state, x);
  return put.Build();
}

// The other method's state lies outside this one's bank.
TEST(PhantomSlot, IsSilentForBytesOutsideTheBank) {
  const Report report = Check(ProgramOf({GetBeside(32), PutAbove()}));
  EXPECT_THAT(LinesOf(report, rule::kPhantomSlot), IsEmpty());
  ASSERT_EQ(report.banks.size(), 2U);
  EXPECT_EQ(report.banks[0].phantom, 0U);
}

// It lies half inside: [32,64) stays unused.
TEST(PhantomSlot, CountsUpToStateThatReachesOutOfTheBank) {
  const Report report = Check(ProgramOf({GetBeside(80), PutAbove()}));
  EXPECT_THAT(LinesOf(report, rule::kPhantomSlot),
              ElementsAre("warning phantom-slot get bank 1 [32,64)"));
  EXPECT_EQ(report.banks[0].phantom, 32U);
}

// That is plan-bounds.
TEST(PhantomSlot, IsSilentForAValueThatReachesOutOfTheBank) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 128, {8});
  b.Add(x, x, out);
  b.Output(out);
  b.method().bank_sizes[1] = 96;
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kPlanBounds), SizeIs(1));
  EXPECT_THAT(LinesOf(report, rule::kPhantomSlot), IsEmpty());
}

// A legal plan, and the device pays for the gap all the same.
TEST(PhantomSlot, WarnsOfAGapOfGibibytes) {
  constexpr uint64_t kHigh = uint64_t{1} << 32;
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t out = b.Planned(1, kHigh, {4});
  b.Add(x, x, out);
  b.Output(out);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report),
              ElementsAre("warning phantom-slot forward bank 1 [4096,4294967296)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
}

// Bytes at odd places are aligned to nothing, so that no gap is padding.
TEST(PhantomSlot, WarnsOfAGapBetweenBytesAtOddPlaces) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {33}, {}, ScalarType::kUInt8);
  b.Input(x);
  const int32_t y = b.Planned(1, 133, {33}, {}, ScalarType::kUInt8);
  b.Mul(x, x, y);
  b.Output(y);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kPhantomSlot),
              ElementsAre("warning phantom-slot forward bank 1 [33,133)"));
}

// Whatever the order in which the other method's values have their places.
TEST(PhantomSlot, IsSilentForStateOfAnotherMethodInAnyOrder) {
  MethodBuilder keeps("keeps");
  const int32_t x = keeps.Planned(1, 0, {16});
  keeps.Input(x);
  const int32_t high = keeps.Planned(2, 64, {16}, "high");
  const int32_t low = keeps.Planned(2, 0, {16}, "low");
  keeps.Mul(high, low, x);
  keeps.Copy(high, x);
  keeps.Copy(low, x);
  MethodBuilder other("other");
  const int32_t y = other.Planned(1, 0, {16});
  other.Input(y);
  other.Output(y);
  Method second = other.Build();
  second.bank_sizes.resize(3);
  second.bank_sizes[2] = 128;
  EXPECT_THAT(LinesOf(Check(ProgramOf({keeps.Build(), second})), rule::kPhantomSlot), IsEmpty());
}

TEST(PhantomSlot, WarnsOfAGapInFrontOfAll) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 64, {16});
  b.Input(x);
  b.Output(x);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kPhantomSlot),
              ElementsAre("warning phantom-slot forward bank 1 [0,64)"));
}

// Of 'step': 64 bytes at the start of a bank of `size`; 'keeps' may have state behind it.
std::vector<std::string> BehindTheLast(uint64_t size, bool state_behind = false) {
  MethodBuilder b("step");
  const int32_t x = b.Planned(2, 0, {16});
  b.Input(x);
  b.Output(x);
  b.method().bank_sizes[2] = size;
  MethodBuilder keeps("keeps");
  const int32_t state = keeps.Planned(2, state_behind ? size : 0, {16}, "state");
  const int32_t y = keeps.Planned(1, 0, {16});
  keeps.Input(y);
  keeps.Mul(state, y, y);
  keeps.Copy(state, y);
  std::vector<std::string> lines;
  for (const std::string& line :
       LinesOf(Check(ProgramOf({b.Build(), keeps.Build()})), rule::kPhantomSlot)) {
    if (line.find("step") != std::string::npos) lines.push_back(line);
  }
  return lines;
}

TEST(PhantomSlot, LeavesAMarginOfSixtyFourBytesAtTheEnd) {
  EXPECT_THAT(BehindTheLast(80), IsEmpty());
  EXPECT_THAT(BehindTheLast(128), IsEmpty());
  EXPECT_THAT(BehindTheLast(144), ElementsAre("warning phantom-slot step bank 2 [64,144)"));
}

TEST(PhantomSlot, IsSilentForAMarginInFrontOfAnotherMethodsState) {
  EXPECT_THAT(BehindTheLast(80, true), IsEmpty());
}

TEST(PhantomSlot, IsAWholeBankThatNothingUses) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {16});
  b.Input(x);
  b.Output(x);
  b.method().bank_sizes.push_back(256);
  const Report report = Check(ProgramOf({b.Build()}));
  ASSERT_THAT(report.banks, SizeIs(2));
  EXPECT_EQ(report.banks[1].peak, 0U);
  EXPECT_EQ(report.banks[1].phantom, 256U);
}

}  // namespace
}  // namespace pteproof
