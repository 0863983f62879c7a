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

// One method with its output at bank `bank` [64,96) and nothing else there.
Method WithOutput(const std::string& name, uint32_t bank) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(bank, 64, {8});
  b.Add(x, x, out);
  b.Output(out);
  return b.Build();
}

// Keeps a local value at bank 1 or 3 [64,96); its output is the caller's memory.
Method Worker(uint32_t bank) {
  MethodBuilder b("decode");
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  const int32_t local = b.Planned(bank, 64, {8});
  b.Add(x, x, local);
  const int32_t out = b.Unplanned({8});
  b.Mul(local, x, out);
  b.Output(out);
  return b.Build();
}

TEST(OutputInvalidated, NotesAnOutputThatAnotherMethodOverwrites) {
  const Report report = Check(ProgramOf({WithOutput("encode", 1), Worker(1)}));
  EXPECT_THAT(LinesOf(report, rule::kOutputInvalidated),
              ElementsAre("note output-invalidated encode v1 bank 1 [64,96) under "
                          "share-1-2 share-all"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_THAT(ExplanationOf(report, rule::kOutputInvalidated), HasSubstr("'encode'"));
}

// Two outputs at [0,32) and [96,128) of bank 1.
Method WithTwoOutputs(const std::string& name) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  for (const uint64_t at : {uint64_t{0}, uint64_t{96}}) {
    const int32_t out = b.Planned(1, at, {8});
    b.Add(x, x, out);
    b.Output(out);
  }
  return b.Build();
}

TEST(OutputInvalidated, NamesEachOutputOfEachMethodAndAllThatOverwriteIt) {
  MethodBuilder whole("whole");
  const int32_t x = whole.Planned(1, 0, {32});
  whole.Input(x);
  const Report report =
      Check(ProgramOf({WithTwoOutputs("encode"), Worker(1), whole.Build(), WithOutput("last", 1)}));
  EXPECT_THAT(LinesOf(report, rule::kOutputInvalidated),
              ElementsAre("note output-invalidated encode v1 v3 bank 1 [0,32) under "
                          "share-1-2 share-all",
                          "note output-invalidated last v1 bank 1 [64,96) under "
                          "share-1-2 share-all"));
  const std::string explanation = ExplanationOf(report, rule::kOutputInvalidated);
  EXPECT_THAT(explanation,
              HasSubstr("\nOutput 0 (v1 bank 1 [0,32)) by 'whole'; output 1 (v3 bank 1 "
                        "[96,128)) by 'whole'.\n"));
  EXPECT_EQ(FixOf(report, rule::kOutputInvalidated),
            "Copy the outputs that you still need before you call 'whole'.");
}

TEST(OutputInvalidated, NamesAllMethodsThatOverwriteAnOutput) {
  const Report report =
      Check(ProgramOf({WithOutput("encode", 1), Worker(1), WithOutput("last", 1)}));
  EXPECT_THAT(ExplanationOf(report, rule::kOutputInvalidated),
              HasSubstr("[64,96)) by 'decode' and 'last'."));
}

TEST(OutputInvalidated, DependsOnTheLoaderForHigherBanks) {
  const Report report = Check(ProgramOf({WithOutput("encode", 3), Worker(3)}));
  EXPECT_THAT(LinesOf(report, rule::kOutputInvalidated),
              ElementsAre("note output-invalidated encode v1 bank 3 [64,96) under share-all"));
}

TEST(OutputInvalidated, IsSilentForAMethodThatIsAlone) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({WithOutput("encode", 1)})), rule::kOutputInvalidated),
              IsEmpty());
}

TEST(OutputInvalidated, IsSilentForOutputsInTheCallersMemory) {
  MethodBuilder b("encode");
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  const int32_t out = b.Unplanned({8});
  b.Add(x, x, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build(), Worker(1)})), rule::kOutputInvalidated),
              IsEmpty());
}

// What the method was given, or keeps, it returns as it is.
TEST(OutputInvalidated, IsSilentForInputsAndState) {
  MethodBuilder shows("shows");
  const int32_t x = shows.Planned(1, 0, {8});
  shows.Input(x);
  const int32_t level = shows.Planned(1, 32, {8}, "level");
  shows.TensorAt(level).data_index = 1;
  shows.Output(x);
  shows.Output(level);
  MethodBuilder other("other");
  const int32_t y = other.Planned(2, 0, {16});
  other.Input(y);
  const int32_t over = other.Planned(1, 0, {16});
  other.Mul(y, y, over);
  other.Mul(over, over, y);
  Program program = ProgramOf({shows.Build(), other.Build()});
  program.initial_values.resize(2);
  EXPECT_THAT(LinesOf(Check(program), rule::kOutputInvalidated), testing::IsEmpty());
}

}  // namespace
}  // namespace pteproof
