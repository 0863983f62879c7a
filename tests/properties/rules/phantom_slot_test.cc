#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "properties/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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

// Catalogue 35: the in-place result's own slot stays reserved.
TEST(PhantomSlot, WarnsOfReservedBytesThatNoInstructionTouches) {
  const Report report = Check(ProgramOf({WithSlot(true)}));
  EXPECT_THAT(LinesOf(report, rule::kPhantomSlot),
              ElementsAre("warning phantom-slot forward bank 1 [32,256)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_THAT(StoryOf(report, rule::kPhantomSlot), HasSubstr("224 bytes"));
  ASSERT_EQ(report.banks.size(), 1U);
  EXPECT_EQ(report.banks[0].phantom, 224U);
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

}  // namespace
}  // namespace pteproof
