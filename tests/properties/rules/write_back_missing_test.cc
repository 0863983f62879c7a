#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "base/rule_names.h"
#include "properties/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Method Get(std::string_view name) {
  MethodBuilder b("get");
  const int32_t state = b.Planned(2, 0, {8}, name);
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  return b.Build();
}

// The store of 'state' goes to the argument, or to the buffer.
Method Set(bool to_buffer) {
  MethodBuilder b("set");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t argument = b.Planned(1, 0, {8});
  b.Input(argument);
  b.Copy(to_buffer ? state : argument, argument);
  return b.Build();
}

// Catalogue 1: an argument of the buffer's name takes the store.
TEST(WriteBackMissing, TellsOfAStoreThatGoesToTheArgumentOfTheSameName) {
  const Report report = Check(ProgramOf({Set(false), Get("state")}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing set#0 v0 bank 2 [0,32)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(StoryOf(report, rule::kWriteBackMissing), HasSubstr("'state'"));
}

TEST(WriteBackMissing, IsSilentWhereTheStoreGoesToTheBuffer) {
  const Report report = Check(ProgramOf({Set(true), Get("state")}));
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing), IsEmpty());
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");  // bank 2 is private there: state-split
}

// Catalogue 1: another method still stores to the buffer, and hides the loss.
TEST(WriteBackMissing, TellsOfACapturedStoreAlsoWhereAnotherMethodStores) {
  MethodBuilder b("forward");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  const Report report = Check(ProgramOf({b.Build(), Set(false)}));
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
              ElementsAre("error write-back-missing set#0 v0 bank 2 [0,32)"));
}

// Catalogue 1: the argument is another value than the one that is stored to.
TEST(WriteBackMissing, TellsOfAComputedValueStoredToTheArgument) {
  MethodBuilder b("set");
  b.Planned(2, 0, {8}, "state");
  const int32_t argument = b.Planned(1, 0, {8});
  b.Input(argument);
  const int32_t twice = b.Planned(1, 32, {8});
  b.Add(argument, argument, twice);
  b.Copy(argument, twice);
  b.Output(twice);
  const Report report = Check(ProgramOf({b.Build(), Get("state")}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing set#1 v0 bank 2 [0,32)"));
}

// Catalogue 6: no store at all.
TEST(WriteBackMissing, TellsOfANamedBufferThatIsReadAndNeverStored) {
  MethodBuilder b("set");
  b.Planned(2, 0, {8}, "state");
  b.Input(b.Planned(1, 0, {8}));
  const Report report = Check(ProgramOf({b.Build(), Get("state")}));
  ASSERT_EQ(TroubleOf(report).size(), 1U);
  EXPECT_THAT(TroubleOf(report)[0], HasSubstr("error write-back-missing"));
  EXPECT_THAT(TroubleOf(report)[0], HasSubstr("v0 bank 2 [0,32)"));
}

// b <- a, then a <- x; b's store is dropped, or goes through a copy.
Method DelayLine(bool second_store) {
  MethodBuilder b("step");
  const int32_t first = b.Planned(1, 64, {8}, "a");
  const int32_t second = b.Planned(1, 96, {8}, "b");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(first, second, out);
  if (second_store) b.Copy(second, first);
  b.Copy(first, x);
  b.Output(out);
  return b.Build();
}

// Catalogue 27, 28, 29: a store from one buffer to another is dropped.
TEST(WriteBackMissing, TellsOfADelayLineWithoutItsSecondStore) {
  const Report report = Check(ProgramOf({DelayLine(false)}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing step v1 bank 1 [96,128)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
}

TEST(WriteBackMissing, IsSilentForADelayLineWithBothStores) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({DelayLine(true)}))), IsEmpty());
}

// Without a name the file cannot tell a lost store from a slot that happens to be read first.
TEST(WriteBackMissing, IsSilentWithoutANameOrAManifest) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Get({})})), rule::kWriteBackMissing), IsEmpty());
}

TEST(WriteBackMissing, IsSilentForABufferThatStartsFromStoredData) {
  MethodBuilder b("get");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  b.TensorAt(state).data_index = 1;
  const int32_t out = b.Planned(1, 0, {8});
  b.Add(state, state, out);
  b.Output(out);
  Program program = ProgramOf({b.Build()});
  program.initial_values.emplace_back();
  EXPECT_THAT(LinesOf(Check(program)), IsEmpty());
}

// Stores 'a'; the model stores 'a' and 'b'.
Method StoresOne() {
  MethodBuilder b("step");
  const int32_t first = b.Planned(1, 64, {8}, "a");
  const int32_t second = b.Planned(1, 96, {8}, "b");
  b.TensorAt(second).data_index = 1;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(first, second, out);
  b.Copy(first, x);
  b.Output(out);
  return b.Build();
}

TEST(WriteBackMissing, KnowsFromTheManifestWhatAMethodStores) {
  Program program = ProgramOf({StoresOne()});
  program.initial_values.emplace_back();
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
  const Report both = CheckWith(
      program,
      R"({"pteproof": 1, "methods": {"step": {"reads": ["a", "b"], "mutates": ["a", "b"]}}})");
  EXPECT_THAT(TroubleOf(both), ElementsAre("error write-back-missing step v1 bank 1 [96,128)"));
  const Report one = CheckWith(
      program, R"({"pteproof": 1, "methods": {"step": {"reads": ["a", "b"], "mutates": ["a"]}}})");
  EXPECT_THAT(TroubleOf(one), IsEmpty());
}

TEST(WriteBackMissing, OnlyWarnsWhereNoMethodOfTheModelReadsTheBuffer) {
  Program program = ProgramOf({StoresOne()});
  program.initial_values.emplace_back();
  const Report report = CheckWith(
      program, R"({"pteproof": 1, "methods": {"step": {"reads": ["a"], "mutates": ["a", "b"]}}})");
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
              ElementsAre("warning write-back-missing step v1 bank 1 [96,128)"));
}

// Catalogue 16: a store that was erased since a backend was thought to update the buffer in place.
TEST(WriteBackMissing, KnowsOfAnErasedStoreBesideADelegate) {
  MethodBuilder b("step");
  const int32_t ring = b.Planned(1, 64, {8}, "ring");
  b.TensorAt(ring).data_index = 1;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Delegate({ring, x, out});
  b.Output(out);
  Program program = ProgramOf({b.Build()});
  program.initial_values.emplace_back();
  const Report report = CheckWith(program, R"({"pteproof": 1, "methods": {"step": {
      "reads": ["ring"], "mutates": ["ring"], "delegates": [{"index": 0, "outputs": 1}]}}})");
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing step v0 bank 1 [64,96)"));
}

TEST(WriteBackMissing, FindsUnnamedBuffersByTheManifestsValues) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(1, 64, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(state, x, out);
  b.Output(out);
  const Program program = ProgramOf({b.Build()});
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
  const Report report = CheckWith(program, R"({"pteproof": 1, "methods": {"step":
      {"reads": ["a"], "mutates": ["a"], "values": {"0": "a"}}}})");
  EXPECT_THAT(TroubleOf(report), Contains("error write-back-missing step v0 bank 1 [64,96)"));
}

}  // namespace
}  // namespace pteproof
