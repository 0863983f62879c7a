#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint64_t kFourGib = uint64_t{1} << 32;

MethodBuilder ReluInto(uint64_t offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t out = b.Planned(1, offset, {8});
  b.Call("aten::relu.out", {a, out, out});
  b.Output(out);
  return b;
}

TEST(PlanBounds, TellsOfAValueThatReachesPastItsBank) {
  MethodBuilder b = ReluInto(32);
  b.method().bank_sizes[1] = 48;
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report), ElementsAre("error plan-bounds forward v1 bank 1 [32,64)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kPlanBounds), HasSubstr("48 bytes"));
}

TEST(PlanBounds, IsSilentWhereTheLastValueEndsWithTheBank) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({ReluInto(32).Build()}))), IsEmpty());
}

TEST(PlanBounds, HoldsAboveFourGibibytes) {
  MethodBuilder good = ReluInto(kFourGib);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({good.Build()}))), IsEmpty());
  good.method().bank_sizes[1] = kFourGib + 31;
  EXPECT_THAT(TroubleOf(Check(ProgramOf({good.Build()}))),
              ElementsAre("error plan-bounds forward v1 bank 1 [4294967296,4294967328)"));
}

TEST(PlanBounds, AcceptsATensorWithoutElementsAtTheBanksEnd) {
  MethodBuilder b = ReluInto(32);
  b.Output(b.Planned(1, 64, {0, 8}));
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// A shared bank of which one method declares too little for what it keeps there.
Method Keeper(const std::string& name, uint64_t bank_size) {
  MethodBuilder b(name);
  const int32_t state = b.Planned(2, 0, {256}, "a");
  const int32_t x = b.Planned(1, 0, {256});
  b.Input(x);
  const int32_t sum = b.Planned(1, 1024, {256});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.method().bank_sizes[2] = bank_size;
  return b.Build();
}

// A bank sized from another program.
TEST(PlanBounds, TellsOfTheMethodWhoseSharedBankIsTooSmall) {
  const Report report = Check(ProgramOf({Keeper("put", 1024), Keeper("get", 32)}));
  EXPECT_THAT(LinesOf(report, rule::kPlanBounds),
              ElementsAre("error plan-bounds get v0 bank 2 [0,1024)"));
}

TEST(PlanBounds, IsSilentWhereBothMethodsDeclareTheSharedBank) {
  const Report report = Check(ProgramOf({Keeper("put", 1024), Keeper("get", 1024)}));
  EXPECT_THAT(LinesOf(report, rule::kPlanBounds), IsEmpty());
}

}  // namespace
}  // namespace pteproof
