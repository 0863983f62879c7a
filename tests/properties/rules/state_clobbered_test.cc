#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// 'inc' keeps its state at [96,128) of `bank`.
Method Inc(uint32_t bank, bool keeps_state = true) {
  MethodBuilder b("inc");
  const int32_t state = b.Planned(bank, 96, {8}, "state");
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(4, 32, {8});
  b.Add(state, x, sum);
  if (keeps_state) b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

// 'other' has a local value at [lo, lo + 32) of `bank`.
Method Other(uint32_t bank, uint64_t lo) {
  MethodBuilder b("other");
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t local = b.Planned(bank, lo, {8});
  b.Add(x, x, local);
  b.Output(local);
  return b.Build();
}

TEST(StateClobbered, TellsOfAnotherMethodsValueOverStateInABankThatLoadersShare) {
  const Report report = Check(ProgramOf({Inc(1), Other(1, 112)}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error state-clobbered other#0 v1 v0 bank 1 [112,128) under "
                          "share-1-2 share-all"));
  EXPECT_EQ(VerdictRow(report), "safe unsafe unsafe");
  const std::string explanation = ExplanationOf(report, rule::kStateClobbered);
  EXPECT_THAT(explanation, HasSubstr("'inc'"));
  EXPECT_THAT(explanation, HasSubstr("'other'"));
  EXPECT_THAT(explanation, HasSubstr("'state'"));
}

// 'other' writes `times` values over inc's state, one after the other.
Method OtherAgain(int times) {
  MethodBuilder b("other");
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  for (int i = 0; i < times; ++i) b.Add(x, x, b.Planned(1, 96, {8}));
  return b.Build();
}

// Each of them must move.
TEST(StateClobbered, TellsOfEachInstructionThatWritesOverTheState) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Inc(1), OtherAgain(2)})), rule::kStateClobbered),
              ElementsAre("error state-clobbered other#0 v1 v0 bank 1 [96,128) under "
                          "share-1-2 share-all",
                          "error state-clobbered other#1 v3 v0 bank 1 [96,128) under "
                          "share-1-2 share-all"));
}

TEST(StateClobbered, TellsOfAFewInstructionsOfMany) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Inc(1), OtherAgain(100)})), rule::kStateClobbered),
              SizeIs(8));
}

TEST(StateClobbered, DependsOnTheLoaderForHigherBanks) {
  const Report report = Check(ProgramOf({Inc(3), Other(3, 96)}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error state-clobbered other#0 v1 v0 bank 3 [96,128) under share-all"));
  EXPECT_EQ(VerdictRow(report), "safe safe unsafe");
}

// The buffer has a place in bank 3, which fewer loaders share, and one in bank 1.
TEST(StateClobbered, LooksAtEachBankThatMoreLoadersShare) {
  MethodBuilder second("second");
  const int32_t state = second.Planned(1, 96, {8}, "state");
  const int32_t y = second.Planned(4, 0, {8});
  second.Input(y);
  second.Copy(state, y);
  MethodBuilder other("other");
  const int32_t x = other.Planned(4, 0, {8});
  other.Input(x);
  other.Add(x, x, other.Planned(3, 96, {8}));
  other.Add(x, x, other.Planned(1, 96, {8}));
  const Program program = ProgramOf({Inc(3), second.Build(), other.Build()});
  EXPECT_THAT(LinesOf(Check(program), rule::kStateClobbered),
              ElementsAre("error state-clobbered other#0 v1 v0 bank 3 [96,128) under share-all",
                          "error state-clobbered other#1 v3 v0 bank 1 [96,128) under "
                          "share-1-2 share-all"));
}

TEST(StateClobbered, IsSilentWhereTheOtherMethodStaysBesideTheState) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({Inc(1), Other(1, 64)}))), IsEmpty());
  EXPECT_THAT(TroubleOf(Check(ProgramOf({Inc(1), Other(2, 96)}))), IsEmpty());
}

TEST(StateClobbered, CountsAnotherMethodsInputsAsWrites) {
  MethodBuilder b("other");
  const int32_t x = b.Planned(1, 96, {8});
  b.Input(x);
  const int32_t out = b.Planned(4, 0, {8});
  b.Add(x, x, out);
  b.Output(out);
  const Report report = Check(ProgramOf({Inc(1), b.Build()}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error state-clobbered other v0 v0 bank 1 [96,128) under "
                          "share-1-2 share-all"));
}

TEST(StateClobbered, TellsOfALoadThatPutsAnInitialValueOverAnotherMethodsState) {
  MethodBuilder b("other");
  const int32_t table = b.Planned(1, 96, {8}, "table");
  b.TensorAt(table).data_index = 1;
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(4, 32, {8});
  b.Add(table, x, sum);
  b.Output(sum);
  Program program = ProgramOf({Inc(1), b.Build()});
  program.initial_values.resize(2);
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report, rule::kStateClobbered),
              testing::Contains("error state-clobbered other v0 v0 bank 1 [96,128) under "
                                "share-1-2 share-all"));
  const auto loading = std::ranges::find_if(report.findings, [](const Finding& finding) {
    return finding.rule == rule::kStateClobbered && finding.method == "other";
  });
  ASSERT_NE(loading, report.findings.end());
  EXPECT_THAT(loading->explanation, testing::StartsWith("Method 'inc' keeps state 'state'"));
  EXPECT_THAT(loading->explanation, HasSubstr("\nLoading 'other' copies the initial value of v0"));
  EXPECT_THAT(loading->explanation, HasSubstr("a loader that shares bank 1, "));
}

TEST(StateClobbered, SaysOfAnInstructionThatACallOfItsMethodDestroysTheState) {
  const Report report = Check(ProgramOf({Inc(1), Other(1, 96)}));
  EXPECT_THAT(ExplanationOf(report, rule::kStateClobbered),
              HasSubstr("a call of 'other' between two calls of 'inc' destroys the state"));
}

// 'other' has inc's state too, and stores a second one to the same bytes.
TEST(StateClobbered, TellsOfAStoreOfAnotherStateBesideAStoreOfTheSame) {
  MethodBuilder b("other");
  const int32_t state = b.Planned(1, 96, {8}, "state");
  const int32_t table = b.Planned(1, 96, {8}, "table");
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  b.Copy(state, x);
  b.Copy(table, x);
  EXPECT_THAT(LinesOf(Check(ProgramOf({Inc(1), b.Build()})), rule::kStateClobbered),
              testing::Contains("error state-clobbered other#1 v1 v0 bank 1 [96,128) under "
                                "share-1-2 share-all"));
}

// Two buffers that are private to their methods, in one place.
TEST(StateClobbered, TellsOfBuffersThatAreMeantToBePrivate) {
  MethodBuilder twin("twin");
  const int32_t state = twin.Planned(1, 96, {8}, "state");
  const int32_t x = twin.Planned(4, 0, {8});
  twin.Input(x);
  const int32_t sum = twin.Planned(4, 32, {8});
  twin.Add(state, x, sum);
  twin.Copy(state, sum);
  const Program program = ProgramOf({Inc(1), twin.Build()});
  const Report apart =
      CheckWith(program, R"({"pteproof": 1, "buffers": {"state": {"shared": false}}})");
  EXPECT_THAT(LinesOf(apart, rule::kStateClobbered), testing::SizeIs(1));
  EXPECT_EQ(VerdictRow(apart), "safe unsafe unsafe");
  const Report one =
      CheckWith(program, R"({"pteproof": 1, "buffers": {"state": {"shared": true}}})");
  EXPECT_THAT(LinesOf(one, rule::kStateClobbered), IsEmpty());
}

// Reads a buffer that nobody stores to; it begins with the stored data of this number.
Method Keeps(const std::string& name, uint64_t lo, uint32_t data) {
  MethodBuilder b(name);
  const int32_t state = b.Planned(2, lo, {8}, "state of " + name);
  b.TensorAt(state).data_index = data;
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  return b.Build();
}

Program Keepers(uint64_t second_lo, uint32_t second_data) {
  Program program = ProgramOf({Keeps("first", 0, 1), Keeps("second", second_lo, second_data)});
  program.initial_values.resize(3);
  return program;
}

TEST(StateClobbered, CountsTheLoadingOfAnotherMethodsInitialValueAsAWrite) {
  const Report report = Check(Keepers(16, 2));
  EXPECT_THAT(LinesOf(report, rule::kStateClobbered), SizeIs(2));  // each over the other
  EXPECT_EQ(VerdictRow(report), "safe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kStateClobbered), HasSubstr("Loading '"));
}

TEST(StateClobbered, IsSilentIfBuffersLieApart) {
  EXPECT_THAT(LinesOf(Check(Keepers(32, 2)), rule::kStateClobbered), IsEmpty());
}

// Two names are two buffers, also if they begin alike.
TEST(StateClobbered, TellsOfTwoNamesInOnePlaceThatBeginAlike) {
  const Program program = Keepers(0, 1);
  EXPECT_THAT(LinesOf(Check(program), rule::kStateClobbered), SizeIs(2));
  EXPECT_EQ(VerdictRow(Check(program)), "safe unsafe unsafe");
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[2], Verdict::kUnsafe);
}

TEST(StateClobbered, IsSilentIfLoadingPutsThereWhatIsThereWithoutAnotherName) {
  Program program = Keepers(0, 1);
  const std::array<std::byte, 32> zeros = {};
  program.initial_values = {{}, zeros, {}};
  for (Method& method : program.methods) method.tensors.front().name = {};
  EXPECT_THAT(LinesOf(Check(program), rule::kStateClobbered), IsEmpty());
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[2], Verdict::kSafe);
}

// One method that reads two buffers of its own; each begins with stored data of its own number.
Program TwoOfItsOwn(uint64_t second_lo, uint32_t second_data) {
  MethodBuilder b("step");
  const int32_t first = b.Planned(2, 0, {8}, "first");
  const int32_t second = b.Planned(2, second_lo, {8}, "second");
  b.TensorAt(first).data_index = 1;
  b.TensorAt(second).data_index = second_data;
  const int32_t sum = b.Planned(1, 0, {8});
  b.Add(first, second, sum);
  b.Output(sum);
  Program program = ProgramOf({b.Build()});
  program.initial_values.resize(3);
  return program;
}

TEST(StateClobbered, CountsAMethodsOwnLoadingOverAnotherOfItsBuffers) {
  const Report report = Check(TwoOfItsOwn(16, 2));
  EXPECT_THAT(LinesOf(report, rule::kStateClobbered),
              ElementsAre("error state-clobbered step v0 v1 bank 2 [16,32)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
}

TEST(StateClobbered, IsSilentWhereAMethodsOwnBuffersLieApartOrAreAlike) {
  EXPECT_THAT(LinesOf(Check(TwoOfItsOwn(32, 2)), rule::kStateClobbered), IsEmpty());
  EXPECT_THAT(LinesOf(Check(TwoOfItsOwn(0, 1)), rule::kStateClobbered), IsEmpty());
}

// A file may hold one value twice.
TEST(StateClobbered, ComparesTheBytesOfWhatAMethodLoadsToOnePlace) {
  const std::array<std::byte, 32> zeros = {};
  std::array<std::byte, 32> other = {};
  Program program = TwoOfItsOwn(0, 2);
  program.initial_values = {{}, zeros, other};
  EXPECT_THAT(LinesOf(Check(program), rule::kStateClobbered), IsEmpty());
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
  other.back() = std::byte{1};
  EXPECT_THAT(LinesOf(Check(program), rule::kStateClobbered), SizeIs(1));
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kUnsafe);
}

// Reads its state first; then a local value is written at `local_offset` of the state's bank.
Method ReadsThenWorks(uint64_t local_offset, bool stores_at_the_end) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  const int32_t local = b.Planned(2, local_offset, {8});
  b.Mul(sum, x, local);
  const int32_t out = b.Planned(1, 64, {8});
  b.Add(local, sum, out);
  if (stores_at_the_end) b.Copy(state, sum);
  b.Output(out);
  return b.Build();
}

// The state's slot is given away after its last read, though the next call reads it.
TEST(StateClobbered, TellsOfStateThatIsGivenAwayBeforeTheCallEnds) {
  const Report report = Check(ProgramOf({ReadsThenWorks(0, false)}));
  EXPECT_THAT(LinesOf(report, rule::kStateClobbered),
              ElementsAre("error state-clobbered forward#1 v0 v4 bank 2 [0,32)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kStateClobbered), HasSubstr("The next call reads"));
}

TEST(StateClobbered, IsSilentWhereTheStateIsStoredAnewAfterwards) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({ReadsThenWorks(0, true)})), rule::kStateClobbered),
              IsEmpty());
}

TEST(StateClobbered, IsSilentWhereTheStateKeepsItsSlot) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({ReadsThenWorks(32, true)}))), IsEmpty());
}

// A call of 'other' with two results over the state is one finding, and of very many states each
// has one at least.
TEST(StateClobbered, TellsOfEachOfVeryManyStatesOnce) {
  constexpr int kStates = 300;
  MethodBuilder inc("inc");
  MethodBuilder other("other");
  const int32_t x = inc.Planned(4, 0, {4});
  inc.Input(x);
  const int32_t y = other.Planned(4, 0, {4});
  other.Input(y);
  for (int i = 0; i < kStates; ++i) {
    const uint64_t place = 16 * static_cast<uint64_t>(i);
    const int32_t state = inc.Planned(1, place, {4}, "s" + std::to_string(i));
    const int32_t sum = inc.Planned(4, 16, {4});
    inc.Add(state, x, sum);
    inc.Copy(state, sum);
    other.Add(y, y, other.Planned(1, place, {4}));
  }
  const Report report = Check(ProgramOf({inc.Build(), other.Build()}));
  EXPECT_EQ(LinesOf(report, rule::kStateClobbered).size(), static_cast<size_t>(kStates));
  EXPECT_EQ(VerdictRow(report), "safe unsafe unsafe");
}

TEST(StateClobbered, TellsOnceOfOneCallsResultsOverOneState) {
  MethodBuilder other("other");
  const int32_t x = other.Planned(4, 0, {8});
  other.Input(x);
  const int32_t values = other.Planned(1, 96, {4});
  const int32_t places = other.Planned(1, 112, {2}, {}, ScalarType::kInt64);
  const int32_t dim = other.Int(0);
  other.Call("aten::sort.values",
             {x, dim, other.Bool(false), values, places, other.TensorList({values, places})});
  const Report report = Check(ProgramOf({Inc(1), other.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kStateClobbered), SizeIs(1));
}

TEST(StateClobbered, IsSilentForALoadedBufferWithoutBytes) {
  MethodBuilder b("other");
  const int32_t empty = b.Planned(1, 96, {0}, "empty");
  b.TensorAt(empty).data_index = 1;
  const int32_t out = b.Planned(4, 0, {0});
  b.Mul(empty, empty, out);
  Program program = ProgramOf({b.Build(), Inc(1)});
  program.initial_values.resize(2);
  EXPECT_THAT(LinesOf(Check(program), rule::kStateClobbered), IsEmpty());
}

// The method that loses its own state for the next call takes it from the other one, too.
TEST(StateClobbered, TellsOfAMethodThatTakesTheStateFromItselfAndFromAnother) {
  MethodBuilder b("other");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t out = b.Planned(1, 0, {8});
  b.Mul(state, state, out);
  b.Output(out);
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({ReadsThenWorks(0, false), b.Build()})), rule::kStateClobbered),
      testing::UnorderedElementsAre("error state-clobbered forward#1 v0 v4 bank 2 [0,32)",
                                    "error state-clobbered forward#1 v4 v0 bank 2 [0,32) under "
                                    "share-1-2 share-all"));
}

}  // namespace
}  // namespace pteproof
