// What findings about state say, word by word: every name and number in its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

// The explanation of the first finding of that rule at a method.
std::string ToldAt(const Report& report, std::string_view rule, std::string_view method) {
  for (const Finding& finding : report.findings) {
    if (finding.rule == rule && finding.method == method) return finding.explanation;
  }
  return {};
}

// Adds its input to the state at [96,128) of bank 1.
Method Sums(std::string_view state_name) {
  MethodBuilder b("sums");
  const int32_t state = b.Planned(1, 96, {8}, state_name);
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(4, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

// Has v1 at [112,144) of bank 1: a local value, or a buffer with initial value 1.
Method Beside(bool loads) {
  MethodBuilder b("beside");
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t there = b.Planned(1, 112, {8}, loads ? "table" : "");
  const int32_t out = b.Planned(4, 32, {8});
  if (loads) {
    b.TensorAt(there).data_index = 1;
    b.Add(there, x, out);
  } else {
    b.Add(x, x, there);
  }
  b.Output(out);
  return b.Build();
}

TEST(StateExplanations, TellWhichInstructionWritesOverAnotherMethodsState) {
  EXPECT_EQ(
      ToldAt(Check(ProgramOf({Sums("total"), Beside(false)})), rule::kStateClobbered, "beside"),
      "Method 'sums' keeps state 'total' in bank 1 [96,128).\n"
      "Instruction 0 (aten::add.out) of 'beside' writes v1 bank 1 [112,144) over it.\n"
      "Under a loader that shares bank 1, a call of 'beside' between two calls of 'sums' destroys "
      "the state.");
  EXPECT_THAT(ToldAt(Check(ProgramOf({Sums(""), Beside(false)})), rule::kStateClobbered, "beside"),
              testing::StartsWith("Method 'sums' keeps state v0 in bank 1 [96,128).\n"));
}

TEST(StateExplanations, TellWhichLoadGoesOverAnotherMethodsState) {
  for (const std::string name : {"total", ""}) {
    Program program = ProgramOf({Sums(name), Beside(true)});
    program.initial_values.resize(2);
    EXPECT_EQ(ToldAt(Check(program), rule::kStateClobbered, "beside"),
              std::string("Method 'sums' keeps state ") + (name.empty() ? "v0" : "'total'") +
                  " in bank 1 [96,128).\n"
                  "Loading 'beside' copies the initial value of v1 'table' bank 1 [112,144) over "
                  "it.\n"
                  "Under a loader that shares bank 1, one of the two buffers starts with the value "
                  "of the other.");
  }
}

// 'first' is read, 'second' is read or stored to; initial value 1 is of one of them.
Program OneLoadedOverTheOther(bool loads_first) {
  MethodBuilder b("step");
  const int32_t first = b.Planned(2, 0, {8}, "first");
  const int32_t second = b.Planned(2, 16, {8}, "second");
  b.TensorAt(loads_first ? first : second).data_index = 1;
  const int32_t sum = b.Planned(1, 0, {8});
  b.Add(first, loads_first ? second : first, sum);
  if (!loads_first) b.Copy(second, sum);
  b.Output(sum);
  Program program = ProgramOf({b.Build()});
  program.initial_values.resize(2);
  return program;
}

TEST(StateExplanations, TellWhichOfAMethodsOwnBuffersIsLoadedOverTheOther) {
  constexpr std::string_view kConsequence =
      "One of the two buffers starts with the value of the other.";
  const auto explanation = [&](std::string_view kept, std::string_view loaded) {
    return std::string("Method 'step' keeps state in ") + std::string(kept) +
           ".\nLoading the method copies the initial value of " + std::string(loaded) +
           " over some of these bytes.\n" + std::string(kConsequence);
  };
  EXPECT_EQ(ExplanationOf(Check(OneLoadedOverTheOther(true)), rule::kStateClobbered),
            explanation("v1 'second' bank 2 [16,48)", "v0 'first' bank 2 [0,32)"));
  EXPECT_EQ(ExplanationOf(Check(OneLoadedOverTheOther(false)), rule::kStateClobbered),
            explanation("v0 'first' bank 2 [0,32)", "v1 'second' bank 2 [16,48)"));
  EXPECT_THAT(LinesOf(Check(OneLoadedOverTheOther(false)), rule::kStateClobbered),
              testing::Contains("error state-clobbered step v1 v0 bank 2 [16,32)"));
}

// Stores its input to v1, a state at `offset` of `bank`.
Method Puts(std::string_view name, uint32_t bank, uint64_t offset) {
  MethodBuilder b("puts");
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  b.Copy(b.Planned(bank, offset, {8}, name), x);
  return b.Build();
}

// Reads v0, which starts with initial value `data`.
Method Gets(const std::string& method, std::string_view name, uint32_t bank, uint32_t data = 0) {
  MethodBuilder b(method);
  const int32_t state = b.Planned(bank, 0, {8}, name);
  b.TensorAt(state).data_index = data;
  const int32_t out = b.Planned(1, 64, {8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  return b.Build();
}

TEST(StateExplanations, TellWhereTheWriterAndTheReaderHaveABuffer) {
  const Program program = ProgramOf({Puts("level", 2, 32), Gets("gets", "level", 2)});
  EXPECT_EQ(ExplanationOf(Check(program), rule::kSharedLayout),
            "'puts' stores buffer 'level' in v1 bank 2 [32,64) (float32).\n"
            "'gets' reads the buffer from v0 bank 2 [0,32) (float32).\n"
            "Under a loader that shares these banks, 'gets' does not find the value that 'puts' "
            "stored.");
}

TEST(StateExplanations, TellThatAPrivateBankSplitsABuffer) {
  const Program named = ProgramOf({Puts("level", 3, 0), Gets("gets", "level", 3)});
  EXPECT_EQ(ExplanationOf(Check(named), rule::kStateSplit),
            "'puts' stores buffer 'level' in v1 bank 3 [0,32) (float32).\n"
            "'gets' reads v0 bank 3 [0,32) (float32). If bank 3 is private, each method has a bank "
            "of its own.\n"
            "'gets' does not see the stored value.");
  EXPECT_EQ(FixOf(Check(named), rule::kStateSplit),
            "Load the file with a policy that shares this bank.");
  MethodBuilder sums("puts");
  const int32_t x = sums.Planned(1, 64, {8});
  sums.Input(x);
  const int32_t state = sums.Planned(2, 0, {8});
  sums.Add(state, x, x);
  sums.Copy(state, x);
  const Program unnamed = ProgramOf({sums.Build(), Gets("gets", "", 2)});
  EXPECT_EQ(ExplanationOf(Check(unnamed), rule::kStateSplit),
            "'puts' stores a buffer without a name in v1 bank 2 [0,32) (float32).\n"
            "'gets' reads v0 bank 2 [0,32) (float32). If bank 2 is private, each method has a bank "
            "of its own.\n"
            "If both are one buffer of the model, 'gets' does not see the stored value.");
}

TEST(StateExplanations, TellThatALaterLoadUndoesAStore) {
  Program program = ProgramOf({Puts("level", 2, 0), Gets("gets", "level", 2, 1)});
  program.initial_values.resize(2);
  EXPECT_EQ(ExplanationOf(Check(program), rule::kInitialisedTwice),
            "Loading method 'gets' copies the initial value (data 1) to bank 2 [0,32).\n"
            "A call of 'puts' before that load stores 'level' there.\n"
            "The load overwrites the stored value, and later calls read the initial one.");
  EXPECT_EQ(FixOf(Check(program), rule::kInitialisedTwice),
            "Load all methods before the first call (`--load all-first` states that), or export "
            "the initial value once.");
}

TEST(StateExplanations, TellWhichTwoLoadsGiveABufferUnlikeValues) {
  constexpr std::array<std::byte, 32> kZeros = {};
  constexpr std::array<std::byte, 32> kOther = {std::byte{1}};
  Program program = ProgramOf({Gets("one", "level", 2, 1), Gets("two", "level", 2, 2)});
  program.initial_values = {{}, kZeros, kOther};
  const Report report = Check(program);
  EXPECT_EQ(ExplanationOf(report, rule::kInitialisedTwice),
            "Loading 'one' copies data 1 to bank 2 [0,32). Loading 'two' copies data 2 there.\n"
            "Under a loader that shares bank 2, 'level' starts with the data that were loaded "
            "last.\n"
            "Its value at the first call depends on the order of the loads.");
  EXPECT_EQ(FixOf(report, rule::kInitialisedTwice), "Export one initial value for all methods.");
  EXPECT_THAT(LinesOf(report, rule::kInitialisedTwice),
              testing::ElementsAre(
                  "error initialised-twice two v0 bank 2 [0,32) under share-1-2 share-all"));
}

TEST(StateExplanations, TellWhichCallMakesAnOutputInvalid) {
  MethodBuilder shows("shows");
  const int32_t x = shows.Planned(3, 0, {8});
  shows.Input(x);
  const int32_t out = shows.Planned(1, 32, {8});
  shows.Add(x, x, out);
  shows.Output(shows.Int(3));
  shows.Output(out);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({shows.Build(), Beside(false), Puts("s", 1, 48)})),
                          rule::kOutputInvalidated),
            "Under a loader that shares their banks, later calls write over outputs of 'shows':\n"
            "Output 1 (v1 bank 1 [32,64)) by 'puts'.\n"
            "Each output is valid until the first such call.");
}

}  // namespace
}  // namespace pteproof
