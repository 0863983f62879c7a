// Which method is blamed for a store that the program lacks, and which store went elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kInputsAt = 512;  // where inputs lie

// Methods that hold 'level' as v0. None stores to it; how likely each lost the store differs.
Method CopiesOntoItself(const std::string& name) {
  MethodBuilder b(name);
  const int32_t level = b.Planned(2, 0, {8}, "level");
  b.Copy(level, level);
  return b.Build();
}
Method StoresToAnArgument(const std::string& name) {
  MethodBuilder b(name);
  b.Planned(2, 0, {8}, "level");
  const int32_t x = b.Planned(1, kInputsAt, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 0, {8});
  b.Add(x, x, sum);
  b.Copy(x, sum);
  return b.Build();
}
Method LeavesItAlone(const std::string& name) {
  MethodBuilder b(name);
  b.Planned(2, 0, {8}, "level");
  return b.Build();
}
Method StoresToAnother(const std::string& name) {
  MethodBuilder b(name);
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t x = b.Planned(1, kInputsAt, {8});
  b.Input(x);
  const int32_t product = b.Planned(1, 0, {8});
  b.Mul(level, x, product);
  b.Copy(b.Planned(2, 64, {8}, "other"), product);
  return b.Build();
}
Method OnlyReads(const std::string& name) {
  MethodBuilder b(name);
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t out = b.Planned(1, 0, {8});
  b.Mul(level, level, out);
  b.Output(out);
  return b.Build();
}

// The methods that are blamed, in the report's order.
std::vector<std::string> Blamed(std::vector<Method> methods) {
  methods.push_back(OnlyReads("reads"));
  std::vector<std::string> blamed;
  for (const Finding& finding : Check(ProgramOf(std::move(methods))).findings) {
    if (finding.rule == rule::kWriteBackMissing) blamed.push_back(finding.method);
  }
  return blamed;
}

TEST(LostStores, AreMostLikelyThoseThatGoElsewhere) {
  EXPECT_THAT(Blamed({StoresToAnArgument("b"), CopiesOntoItself("a")}), testing::Contains("a"));
  EXPECT_THAT(Blamed({LeavesItAlone("c"), StoresToAnArgument("b")}), ElementsAre("b"));
  EXPECT_THAT(Blamed({StoresToAnother("d"), LeavesItAlone("c")}), ElementsAre("c"));
  EXPECT_THAT(Blamed({OnlyReads("e"), StoresToAnother("d")}), ElementsAre("d"));
  EXPECT_THAT(Blamed({OnlyReads("e")}), ElementsAre("e"));
}

TEST(LostStores, OfTwoAlikeAreTheFirstMethods) {
  EXPECT_THAT(Blamed({LeavesItAlone("c"), LeavesItAlone("cc")}), ElementsAre("c"));
  EXPECT_THAT(Blamed({StoresToAnother("d"), StoresToAnother("dd")}), ElementsAre("d"));
}

// State without a name may be none at all: only a store that went elsewhere tells.
TEST(LostStores, OfStateWithoutANameNeedAStoreThatWentElsewhere) {
  for (const bool elsewhere : {true, false}) {
    MethodBuilder b("step");
    const int32_t state = b.Planned(2, 0, {8});
    const int32_t x = b.Planned(1, kInputsAt, {8});
    b.Input(x);
    const int32_t sum = b.Planned(1, 0, {8});
    b.Add(state, x, sum);
    if (elsewhere) b.Copy(x, sum);
    b.Output(sum);
    const Report report = Check(ProgramOf({b.Build()}));
    if (elsewhere) {
      EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
                  ElementsAre("error write-back-missing step#1 v0 bank 2 [0,32)"));
    } else {
      EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing), IsEmpty());
    }
  }
}

// A copy onto itself in the very first instruction is known; the argument's store is another's.
TEST(LostStores, OntoThemselvesAreNotLookedForElsewhere) {
  MethodBuilder b("step");
  const int32_t a = b.Planned(2, 0, {8}, "a");
  const int32_t other = b.Planned(2, 32, {8}, "b");
  const int32_t x = b.Planned(1, kInputsAt, {8});
  b.Input(x);
  b.Copy(a, a);  // 0
  const int32_t sum = b.Planned(1, 0, {8});
  b.Add(a, other, sum);  // 1
  b.Copy(x, sum);        // 2
  b.Output(sum);
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({b.Build()})), rule::kWriteBackMissing),
      testing::UnorderedElementsAre("note write-back-missing step#0 v0 bank 2 [0,32) undecided",
                                    "error write-back-missing step#2 v1 bank 2 [32,64)"));
}

// A store to an argument beside a buffer that nothing touches, in a method that reads no state.
TEST(LostStores, AreOfUntouchedBuffersWithAPlace) {
  for (const bool placed : {true, false}) {
    MethodBuilder b("step");
    const int32_t level = b.Planned(2, 0, {8}, "level");
    b.TensorAt(level).planned = placed;
    const int32_t x = b.Planned(1, kInputsAt, {8});
    b.Input(x);
    const int32_t sum = b.Planned(1, 0, {8});
    b.Add(x, x, sum);
    b.Copy(x, sum);
    b.Output(sum);
    EXPECT_EQ(LinesOf(Check(ProgramOf({b.Build()})), rule::kWriteBackMissing).size(),
              placed ? 1U : 0U);
  }
}

// With a manifest that lists the method's stores, an untouched buffer is not one of them.
TEST(LostStores, OfUntouchedBuffersAreAskedOfTheManifest) {
  const Program program = ProgramOf({StoresToAnArgument("step")});
  EXPECT_EQ(LinesOf(Check(program), rule::kWriteBackMissing).size(), 1U);
  EXPECT_THAT(LinesOf(CheckWith(program, R"({"pteproof": 1, "methods": {"step": {
                  "mutates": [], "mutates_inputs": [0]}}})"),
                      rule::kWriteBackMissing),
              IsEmpty());
}

// Two stores went to arguments, and one buffer lacks one.
TEST(LostStores, OfOneBufferAreOneHoweverManyWentElsewhere) {
  MethodBuilder b("set");
  b.Planned(2, 0, {8}, "level");
  const int32_t x = b.Planned(1, kInputsAt, {8});
  const int32_t y = b.Planned(1, kInputsAt + 32, {8});
  b.Input(x);
  b.Input(y);
  const int32_t sum = b.Planned(1, 0, {8});
  b.Add(x, y, sum);
  b.Copy(x, sum);
  b.Copy(y, sum);
  b.Output(sum);
  EXPECT_EQ(
      LinesOf(Check(ProgramOf({b.Build(), OnlyReads("reads")})), rule::kWriteBackMissing).size(),
      1U);
}

// Another method's buffer of that name is not this method's.
TEST(LostStores, AreLookedForInTheMethodThatShouldMakeThem) {
  MethodBuilder put("put");
  const int32_t other = put.Planned(2, 64, {8}, "other");
  const int32_t x = put.Planned(1, kInputsAt, {8});
  put.Input(x);
  put.Copy(other, x);
  MethodBuilder sums("sums");
  const int32_t level = sums.Planned(2, 0, {8}, "level");
  const int32_t sum = sums.Planned(1, 0, {8});
  sums.Mul(level, level, sum);
  sums.Copy(level, sum);
  const Report report =
      CheckWith(ProgramOf({put.Build(), sums.Build()}), R"({"pteproof": 1, "methods": {
          "put": {"reads": [], "mutates": ["other", "level"]},
          "sums": {"reads": ["level"], "mutates": ["level"]}}})");
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
              ElementsAre("error write-back-missing put"));
  EXPECT_THAT(ExplanationOf(report, rule::kWriteBackMissing),
              testing::HasSubstr("The program's 'put' has no such buffer."));
}

TEST(LostStores, OfABufferThatIsNotThereTakeNoOthersStore) {
  EXPECT_THAT(LinesOf(CheckWith(ProgramOf({StoresToAnArgument("set")}), R"({"pteproof": 1,
                  "methods": {"set": {"reads": ["gone"], "mutates": ["gone"]}}})"),
                      rule::kWriteBackMissing),
              ElementsAre("error write-back-missing set"));
}

// One store went elsewhere, in the very first instruction: it was one buffer's, not two's.
TEST(LostStores, AreGivenToOneBufferOfTwoThatNothingTouches) {
  MethodBuilder b("set");
  b.Planned(2, 0, {8}, "level");
  b.Planned(2, 32, {8}, "idle");
  const int32_t x = b.Planned(1, kInputsAt, {8});
  const int32_t y = b.Planned(1, kInputsAt + 32, {8});
  b.Input(x);
  b.Input(y);
  b.Copy(x, y);
  b.Output(y);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build(), OnlyReads("reads")})), rule::kWriteBackMissing),
              ElementsAre("error write-back-missing set#0 v0 bank 2 [0,32)"));
}

TEST(LostStores, OfStateWithoutANameAreOfItsTypeAndSize) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8});
  const int32_t x = b.Planned(1, kInputsAt, {4});
  b.Input(x);
  const int32_t sum = b.Planned(1, 0, {8});
  b.Mul(state, state, sum);
  b.Copy(x, b.Constant(1, {4}));
  b.Output(sum);
  Program program = ProgramOf({b.Build()});
  program.constants.resize(2);
  EXPECT_THAT(LinesOf(Check(program), rule::kWriteBackMissing), IsEmpty());
}

// It is held by two methods; beside a dropped store in one of them it lost its own.
TEST(LostStores, BesideADroppedOneAreOfTheMethodThatDroppedIt) {
  MethodBuilder other("other");
  other.Planned(2, 64, {8}, "idle");
  other.Output(other.Int(7));
  MethodBuilder step("step");
  const int32_t level = step.Planned(2, 0, {8}, "level");
  step.Planned(2, 64, {8}, "idle");
  const int32_t out = step.Planned(1, 0, {8});
  step.Mul(level, level, out);
  step.Output(out);
  const Program program = ProgramOf({other.Build(), step.Build()});
  EXPECT_THAT(LinesOf(Check(program), rule::kWriteBackMissing),
              ElementsAre("error write-back-missing step v0 bank 2 [0,32)",
                          "error write-back-missing step v1 bank 2 [64,96)"));
  EXPECT_THAT(LinesOf(CheckWith(program, R"({"pteproof": 1, "methods": {"step": {
                  "reads": ["level"], "mutates": []}}})"),
                      rule::kWriteBackMissing),
              ElementsAre("error write-back-missing step v0 bank 2 [0,32)"));
}

// Of two that nothing names, one went to the argument.
TEST(LostStores, ThatAreToldOfAreNotCountedAgain) {
  MethodBuilder b("step");
  const int32_t first = b.Planned(2, 0, {8});
  const int32_t second = b.Planned(2, 32, {8});
  const int32_t x = b.Planned(1, kInputsAt, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 0, {8});
  b.Add(first, second, sum);
  b.Copy(x, sum);
  b.Output(sum);
  const Report report = CheckWith(ProgramOf({b.Build()}), R"({"pteproof": 1, "methods": {"step": {
      "reads": ["a", "b"], "mutates": ["a", "b"]}}})");
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
              testing::UnorderedElementsAre("error write-back-missing step#1 v0 bank 2 [0,32)",
                                            "error write-back-missing step"));
  EXPECT_TRUE(std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.explanation.starts_with(
        "The model's 'step' stores to 2 buffers; the program's misses 1 of them.");
  }));
}

TEST(LostStores, AreMissedInAProgramWithoutState) {
  MethodBuilder b("step");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Mul(x, x, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(CheckWith(ProgramOf({b.Build()}), R"({"pteproof": 1, "methods": {"step": {
                  "reads": ["gone"], "mutates": ["gone"]}}})"),
                      rule::kWriteBackMissing),
              ElementsAre("error write-back-missing step"));
}

// A buffer is touched through any value of its name.
TEST(LostStores, AreNotOfABufferThatIsUsedThroughAView) {
  for (const bool stores : {true, false}) {
    MethodBuilder b("step");
    const int32_t level = b.Planned(2, 0, {8}, "level");
    b.TensorAt(level).data_index = 1;
    const int32_t x = b.Planned(1, kInputsAt, {8});
    b.Input(x);
    const int32_t view = b.Planned(2, 0, {8}, "level");
    const int32_t sum = b.Planned(1, 0, {8});
    if (stores) {
      b.Mul(x, x, sum);
      b.Copy(view, sum);
    } else {
      b.Mul(view, x, sum);
    }
    b.Copy(x, sum);
    b.Output(sum);
    Program program = ProgramOf({b.Build()});
    program.initial_values.resize(2);
    EXPECT_THAT(LinesOf(Check(program), rule::kWriteBackMissing), IsEmpty());
  }
}

// The copy onto itself is one buffer's, the argument's store the other's, whatever their order.
TEST(LostStores, OntoThemselvesStayTheBuffersOwnInTheExportersOrder) {
  MethodBuilder b("step");
  const int32_t a = b.Planned(2, 0, {8}, "a");
  const int32_t other = b.Planned(2, 32, {8}, "b");
  const int32_t x = b.Planned(1, kInputsAt, {8});
  b.Input(x);
  b.Copy(other, other);  // 0
  const int32_t sum = b.Planned(1, 0, {8});
  b.Mul(a, other, sum);  // 1
  b.Copy(x, sum);        // 2
  for (uint64_t i = 1; i < 7; ++i) b.Mul(sum, sum, b.Planned(1, 32 * i, {8}));
  b.Output(sum);
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({b.Build()})), rule::kWriteBackMissing),
      testing::UnorderedElementsAre("error write-back-missing step#2 v0 bank 2 [0,32)",
                                    "note write-back-missing step#0 v1 bank 2 [32,64) undecided"));
}

TEST(LostStores, OfStateWithoutANameMayGoElsewhereInTheFirstInstruction) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8});
  const int32_t x = b.Planned(1, kInputsAt, {8});
  const int32_t y = b.Planned(1, kInputsAt + 32, {8});
  b.Input(x);
  b.Input(y);
  b.Copy(x, y);  // 0
  const int32_t sum = b.Planned(1, 0, {8});
  b.Mul(state, y, sum);  // 1
  b.Output(sum);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kWriteBackMissing),
              ElementsAre("error write-back-missing step#0 v0 bank 2 [0,32)"));
}

}  // namespace
}  // namespace pteproof
