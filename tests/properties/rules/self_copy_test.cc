#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MethodBuilder CopiesOnto(bool itself) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 32, {8});
  b.Input(x);
  b.Input(y);
  b.Copy(y, itself ? y : x);
  const int32_t out = b.Planned(1, 64, {8});
  b.Add(x, y, out);
  b.Output(y);
  b.Output(out);
  return b;
}

TEST(SelfCopy, WarnsOfAStoreOntoItself) {
  const Report report = Check(ProgramOf({CopiesOnto(true).Build()}));
  EXPECT_THAT(LinesOf(report), ElementsAre("warning self-copy forward#0 v1 bank 1 [32,64)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_EQ(ExplanationOf(report, rule::kSelfCopy),
            "Instruction 0 (aten::copy_) stores v1 bank 1 [32,64) onto itself.\n"
            "A sound export has no such store.\n"
            "A store that was meant for another value may be lost.");
  EXPECT_EQ(FixOf(report, rule::kSelfCopy),
            "Rename the argument if it has the name of a buffer, and export again; else state the "
            "stores in a manifest.");
}

TEST(SelfCopy, IsSilentForACopyFromElsewhere) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({CopiesOnto(false).Build()}))), IsEmpty());
}

// With a buffer that nothing touches the store was meant for that.
TEST(SelfCopy, ComesWithALostStoreWhereABufferIsUntouched) {
  MethodBuilder b("set");
  b.Planned(2, 0, {8}, "state");
  const int32_t argument = b.Planned(1, 0, {8});
  b.Input(argument);
  b.Copy(argument, argument);
  b.Output(argument);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report), ElementsAre("error write-back-missing set#0 v0 bank 2 [0,32)",
                                           "warning self-copy set#0 v1 bank 1 [0,32)"));
}

// What an argument has to do with it is told of arguments only.
TEST(SelfCopy, NamesArgumentsOnlyWhereOneIsStoredTo) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t out = b.Planned(1, 0, {8});
  b.Mul(state, state, out);
  b.Copy(state, state);
  b.Output(out);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kSelfCopy),
            "Instruction 1 (aten::copy_) stores v0 'state' bank 2 [0,32) onto itself.\n"
            "A sound export has no such store.\n"
            "If a store of the model is lost, later calls read an old value.");
}

TEST(SelfCopy, SeesThroughAnotherNameOfTheSameBytes) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(x, x, sum);
  const int32_t view = b.Planned(1, 32, {8});
  b.Copy(sum, view);
  b.Output(sum);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kSelfCopy),
              ElementsAre("warning self-copy forward#1 v1 bank 1 [32,64)"));
}

}  // namespace
}  // namespace pteproof
