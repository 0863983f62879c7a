#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(EntryValueLost, OnlyWarnsWhereNobodyReadsTheBufferThatGetsTheWrongValue) {
  MethodBuilder b("step");
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t cur = b.Planned(2, 32, {8}, "cur");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(cur, x, sum);
  const int32_t view = b.Planned(2, 32, {8});
  b.Copy(cur, sum);
  b.Copy(prev, view);
  b.Output(sum);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kEntryValueLost),
              ElementsAre("warning entry-value-lost step#1 v5 v1 bank 2 [32,64)"));
  EXPECT_THAT(LineLengths(ExplanationOf(report, rule::kEntryValueLost)), SizeIs(3));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
}

}  // namespace
}  // namespace pteproof
