#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Method GetState(std::string_view name) {
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

// An argument of the buffer's name takes the store.
TEST(WriteBackMissing, TellsOfAStoreThatGoesToTheArgumentOfTheSameName) {
  const Report report = Check(ProgramOf({Set(false), GetState("state")}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing set#0 v0 bank 2 [0,32)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_EQ(
      ExplanationOf(report, rule::kWriteBackMissing),
      "Buffer v0 'state' bank 2 [0,32) is read, but no method stores to it and the file holds "
      "no initial value.\n"
      "Instruction 0 (aten::copy_) of 'set' stores to v1 bank 1 [0,32) instead.\n"
      "Every call reads the bytes that the bank started with.");
  EXPECT_EQ(FixOf(report, rule::kWriteBackMissing),
            "Rename the argument if it has the buffer's name; else let the model store to the "
            "buffer.");
}

TEST(WriteBackMissing, IsSilentWhereTheStoreGoesToTheBuffer) {
  const Report report = Check(ProgramOf({Set(true), GetState("state")}));
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing), IsEmpty());
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");  // bank 2 is private there: state-split
}

// Another method still stores to the buffer, and hides the loss.
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

// The argument is another value than the one that is stored to.
TEST(WriteBackMissing, TellsOfAComputedValueStoredToTheArgument) {
  MethodBuilder b("set");
  b.Planned(2, 0, {8}, "state");
  const int32_t argument = b.Planned(1, 0, {8});
  b.Input(argument);
  const int32_t twice = b.Planned(1, 32, {8});
  b.Add(argument, argument, twice);
  b.Copy(argument, twice);
  b.Output(twice);
  const Report report = Check(ProgramOf({b.Build(), GetState("state")}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing set#1 v0 bank 2 [0,32)"));
}

// Two buffers; the store of each goes to the argument of the other's name, or to the buffer.
Method PushBoth(bool to_buffers) {
  MethodBuilder b("push");
  const int32_t k = b.Planned(2, 0, {8}, "k");
  const int32_t v = b.Planned(2, 32, {8}, "v");
  const int32_t x = b.Planned(1, 96, {8});
  const int32_t y = b.Planned(1, 128, {8});
  b.Input(x);
  b.Input(y);
  const int32_t new_k = b.Planned(1, 0, {8});
  b.Add(k, x, new_k);  // 0
  const int32_t new_v = b.Planned(1, 32, {8});
  b.Add(v, y, new_v);  // 1
  const int32_t out = b.Planned(1, 64, {8});
  b.Add(new_k, new_v, out);           // 2
  b.Copy(to_buffers ? k : y, new_k);  // 3
  b.Copy(to_buffers ? v : x, new_v);  // 4
  b.Output(out);
  return b.Build();
}

constexpr std::string_view kPushManifest =
    R"({"pteproof": 1, "methods": {"push": {"reads": ["k", "v"], "mutates": ["k", "v"]}}})";

// Each lost store is blamed on the instruction that took it.
TEST(WriteBackMissing, TellsOfEachCapturedStoreWhereItWent) {
  const std::vector<std::string> both = {"error write-back-missing push#3 v0 bank 2 [0,32)",
                                         "error write-back-missing push#4 v1 bank 2 [32,64)"};
  const Program program = ProgramOf({PushBoth(false)});
  const Report alone = Check(program);
  EXPECT_EQ(TroubleOf(alone), both);
  EXPECT_THAT(alone.findings[0].explanation,
              HasSubstr("Instruction 3 (aten::copy_) of 'push' stores to"));
  EXPECT_THAT(alone.findings[1].explanation,
              HasSubstr("Instruction 4 (aten::copy_) of 'push' stores to"));
  EXPECT_EQ(TroubleOf(CheckWith(program, kPushManifest)), both);
}

TEST(WriteBackMissing, IsSilentWhereBothStoresGoToTheirBuffers) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({PushBoth(true)}))), IsEmpty());
  EXPECT_THAT(TroubleOf(CheckWith(ProgramOf({PushBoth(true)}), kPushManifest)), IsEmpty());
}

// The argument is mutated too, and returned: it gets the buffer's new value and then its own.
Method MutatesArgument(bool to_argument) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8}, "x");
  const int32_t x = b.Planned(1, 96, {8});
  b.Input(x);
  const int32_t squared = b.Planned(1, 32, {8});
  b.Mul(x, x, squared);  // 0
  const int32_t sum = b.Planned(1, 0, {8});
  b.Add(state, squared, sum);            // 1
  b.Copy(to_argument ? x : state, sum);  // 2
  b.Copy(x, squared);                    // 3
  b.Output(x);
  return b.Build();
}

// The argument's own store hides the buffer's; a method that only reads is not blamed.
TEST(WriteBackMissing, TellsOfAStoreToAnArgumentThatIsReturnedWithAnotherValue) {
  const Program program = ProgramOf({GetState("x"), MutatesArgument(true)});
  const std::string lost = "error write-back-missing step#2 v0 bank 2 [0,32)";
  EXPECT_THAT(TroubleOf(Check(program)), ElementsAre(lost));
  EXPECT_THAT(TroubleOf(CheckWith(program, R"({"pteproof": 1, "methods": {
                  "get": {"reads": ["x"], "mutates": []},
                  "step": {"reads": ["x"], "mutates": ["x"], "mutates_inputs": [0]}}})")),
              ElementsAre(lost));
}

TEST(WriteBackMissing, IsSilentForAMutatedArgumentBesideABuffer) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({MutatesArgument(false)}))), IsEmpty());
}

// No store at all.
TEST(WriteBackMissing, TellsOfANamedBufferThatIsReadAndNeverStored) {
  MethodBuilder b("set");
  b.Planned(2, 0, {8}, "state");
  b.Input(b.Planned(1, 0, {8}));
  const Report report = Check(ProgramOf({b.Build(), GetState("state")}));
  ASSERT_EQ(TroubleOf(report).size(), 1U);
  EXPECT_THAT(TroubleOf(report)[0], HasSubstr("error write-back-missing"));
  EXPECT_THAT(TroubleOf(report)[0], HasSubstr("v0 bank 2 [0,32)"));
}

// Of the methods that hold the buffer the one that does not use it lost the store.
TEST(WriteBackMissing, BlamesTheMethodThatHoldsTheBufferAndDoesNotTouchIt) {
  MethodBuilder keep("keep");
  keep.Planned(2, 0, {8}, "saved");
  keep.Input(keep.Planned(1, 0, {8}));
  EXPECT_THAT(TroubleOf(Check(ProgramOf({GetState("saved"), keep.Build()}))),
              ElementsAre("error write-back-missing keep v0 bank 2 [0,32)"));
}

// Else one that stores to other buffers did.
TEST(WriteBackMissing, BlamesTheMethodThatStoresToOtherBuffers) {
  MethodBuilder flip("flip");
  const int32_t front = flip.Planned(2, 0, {8}, "front");
  const int32_t back = flip.Planned(2, 32, {8}, "back");
  const int32_t clone = flip.Planned(1, 0, {8});
  flip.Call("aten::alias_copy.out", {front, clone, clone});
  flip.Copy(back, clone);
  EXPECT_THAT(LinesOf(Check(ProgramOf({GetState("front"), flip.Build()})), rule::kWriteBackMissing),
              ElementsAre("error write-back-missing flip v0 bank 2 [0,32)"));
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

// A store from one buffer to another is dropped.
TEST(WriteBackMissing, TellsOfADelayLineWithoutItsSecondStore) {
  const Report report = Check(ProgramOf({DelayLine(false)}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing step v1 bank 1 [96,128)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
}

TEST(WriteBackMissing, IsSilentForADelayLineWithBothStores) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({DelayLine(true)}))), IsEmpty());
}

// c <- b <- a <- x, of which only the last store is left: nothing touches b.
Program ThreeStages(bool reads_c) {
  MethodBuilder b("step");
  const int32_t c = b.Planned(1, 128, {8}, "c");
  b.Planned(1, 96, {8}, "b");
  const int32_t a = b.Planned(1, 64, {8}, "a");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(reads_c ? c : x, x, out);
  b.Copy(a, x);
  b.Output(out);
  return ProgramOf({b.Build()});
}

constexpr std::string_view kThreeStages = R"({"pteproof": 1, "methods": {"step":
    {"reads": ["a", "b", "c"], "mutates": ["a", "b", "c"]}}})";

// A buffer is planned since the model stores to it.
TEST(WriteBackMissing, TellsOfAnUntouchedBufferBesideADroppedStore) {
  const auto both = UnorderedElementsAre("error write-back-missing step v0 bank 1 [128,160)",
                                         "error write-back-missing step v1 bank 1 [96,128)");
  EXPECT_THAT(TroubleOf(Check(ThreeStages(true))), both);
  EXPECT_THAT(TroubleOf(CheckWith(ThreeStages(true), kThreeStages)), both);
}

// What nobody reads shows in no output, so a store that was dropped alone is no error.
TEST(WriteBackMissing, IsSilentForUntouchedBuffersWhereNothingReadIsLost) {
  EXPECT_THAT(LinesOf(Check(ThreeStages(false))), IsEmpty());
}

// Without a name the file cannot tell a lost store from a slot that happens to be read first.
TEST(WriteBackMissing, IsSilentWithoutANameOrAManifest) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({GetState({})})), rule::kWriteBackMissing), IsEmpty());
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
  EXPECT_THAT(ExplanationOf(report, rule::kWriteBackMissing),
              HasSubstr("No method reads the buffer, so no output shows it."));
}

// A store that was erased since a backend was thought to update the buffer in place.
Report ErasedStore(std::string_view updates) {
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
  return CheckWith(program, R"({"pteproof": 1, "methods": {"step": {
      "reads": ["ring"], "mutates": ["ring"], "delegates": [{"index": 0, "outputs": 1)" +
                                std::string(updates) + "}]}}}");
}

TEST(WriteBackMissing, KnowsOfAnErasedStoreBesideADelegate) {
  EXPECT_THAT(TroubleOf(ErasedStore(R"(, "updates": [])")),
              ElementsAre("error write-back-missing step v0 bank 1 [64,96)"));
}

TEST(WriteBackMissing, IsSilentForABufferThatTheDelegateUpdates) {
  EXPECT_THAT(TroubleOf(ErasedStore(R"(, "updates": [0])")), IsEmpty());
}

TEST(WriteBackMissing, IsOpenWhereNobodySaysWhatTheDelegateUpdates) {
  EXPECT_THAT(TroubleOf(ErasedStore("")),
              ElementsAre("note not-provable step v0 bank 1 [64,96) undecided"));
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

// The manifest counts two stores, the program makes one; neither names the buffers.
TEST(WriteBackMissing, CountsStoresWhereNothingNamesTheBuffers) {
  MethodBuilder b("step");
  const int32_t first = b.Planned(1, 64, {8});
  b.Planned(1, 96, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(first, x, out);
  b.Mul(out, x, b.Planned(1, 128, {8}));
  b.Copy(first, x);
  b.Output(out);
  const Program program = ProgramOf({b.Build()});
  const Report read = CheckWith(program, R"({"pteproof": 1, "methods": {"step":
      {"reads": ["a", "b"], "mutates": ["a", "b"]}}})");
  EXPECT_THAT(TroubleOf(read), ElementsAre("error write-back-missing step"));
  EXPECT_THAT(ExplanationOf(read, rule::kWriteBackMissing), HasSubstr("misses 1 of them"));
  const Report unread = CheckWith(program, R"({"pteproof": 1, "methods": {"step":
      {"reads": ["a"], "mutates": ["a", "b"]}}})");
  EXPECT_THAT(LinesOf(unread, rule::kWriteBackMissing),
              ElementsAre("warning write-back-missing step"));
  const Report one = CheckWith(program, R"({"pteproof": 1, "methods": {"step":
      {"reads": ["a"], "mutates": ["a"]}}})");
  EXPECT_THAT(LinesOf(one, rule::kWriteBackMissing), IsEmpty());
}

// The manifest knows that the store onto itself was not the buffer's.
TEST(WriteBackMissing, TrustsTheManifestOnWhichBuffersAMethodLeavesAlone) {
  const Program program = ProgramOf({Set(false), GetState("state")});
  const Report report = CheckWith(program, R"({"pteproof": 1, "methods": {
      "set": {"reads": [], "mutates": ["state"]}, "get": {"reads": [], "mutates": []}}})");
  EXPECT_THAT(TroubleOf(report), ElementsAre("error write-back-missing set#0 v0 bank 2 [0,32)"));
  MethodBuilder step("step");
  const int32_t state = step.Planned(2, 0, {8}, "state");
  const int32_t x = step.Planned(1, 0, {8});
  step.Input(x);
  step.Copy(state, x);
  const Report left_alone =
      CheckWith(ProgramOf({step.Build(), Set(false)}), R"({"pteproof": 1, "methods": {
      "step": {"mutates": ["state"]}, "set": {"reads": [], "mutates": []}}})");
  EXPECT_THAT(LinesOf(left_alone, rule::kWriteBackMissing), IsEmpty());
}

// A buffer that is stored onto itself may be meant to stay; the one that the manifest counts is
// another one.
TEST(WriteBackMissing, CountsAStoreThatIsMissedBesideAStoreOntoItself) {
  MethodBuilder step("step");
  const int32_t kept = step.Planned(2, 0, {8});
  const int32_t x = step.Planned(1, 0, {4});
  step.Input(x);
  const int32_t out = step.Planned(1, 64, {8});
  step.Add(kept, kept, out);
  step.Copy(kept, kept);
  step.Output(out);
  const Report report = CheckWith(ProgramOf({step.Build()}), R"({"pteproof": 1, "methods": {
      "step": {"mutates": ["b"]}}})");
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
              testing::Contains(testing::StartsWith("error write-back-missing step")));
}

// It may store to the buffer itself.
TEST(WriteBackMissing, OnlyNotesABufferThatADelegateIsGiven) {
  MethodBuilder run("run");
  const int32_t state = run.Planned(2, 0, {8}, "state");
  const int32_t x = run.Planned(1, 0, {8});
  const int32_t y = run.Planned(1, 32, {8});
  run.Input(x);
  run.Delegate({x, state, y});
  run.Output(y);
  const Report report = Check(ProgramOf({run.Build(), GetState("state")}));
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing), IsEmpty());
  EXPECT_THAT(report.findings,
              Contains(testing::Field(
                  &Finding::explanation,
                  HasSubstr("is given to a delegate, and no instruction stores to it"))));
}

}  // namespace
}  // namespace pteproof
