#include "pteproof/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "base/rule_names.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Adds its input to itself.
Method Twice(const std::string& name) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(x, x, out);
  b.Output(out);
  return b.Build();
}

// Two overlaps (instructions 1 and 3) and a slot that nothing touches.
Method Sick(const std::string& name) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(x, x, c);
  const int32_t d = b.Planned(1, 32, {8});
  b.Mul(x, x, d);
  const int32_t e = b.Planned(1, 64, {8});
  b.Add(c, d, e);
  const int32_t f = b.Planned(1, 64, {8});
  b.Mul(x, x, f);
  const int32_t g = b.Planned(1, 96, {8});
  b.Add(e, f, g);
  b.Planned(1, 128, {64});
  b.Output(g);
  return b.Build();
}

TEST(Check, FindsNothingInASoundProgram) {
  const Report report = Check(ProgramOf({Twice("forward")}));
  EXPECT_THAT(LinesOf(report), IsEmpty());
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
  EXPECT_THAT(report.assumptions, IsEmpty());
}

TEST(Check, AcceptsAProgramWithoutMethods) {
  const Report report = Check(ProgramOf({}));
  EXPECT_THAT(LinesOf(report), IsEmpty());
  EXPECT_THAT(report.banks, IsEmpty());
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
}

// A constant method: no bank, no instruction, a number for an output.
TEST(Check, AcceptsAMethodWithoutInstructions) {
  MethodBuilder b("get_max_seq_len");
  b.Output(b.Int(128));
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report), IsEmpty());
  EXPECT_THAT(report.banks, IsEmpty());
}

TEST(Check, PutsErrorsFirstThenWarningsByMethodAndInstruction) {
  const Report report = Check(ProgramOf({Sick("beta"), Sick("alpha")}));
  std::vector<std::tuple<Severity, std::string, int32_t>> order;
  for (const Finding& f : report.findings) {
    if (f.rule == rule::kPlanOverlap || f.rule == rule::kPhantomSlot) {
      order.emplace_back(f.severity, f.method, f.instruction);
    }
  }
  EXPECT_THAT(order, ElementsAre(std::tuple(Severity::kError, "alpha", 1),
                                 std::tuple(Severity::kError, "alpha", 3),
                                 std::tuple(Severity::kError, "beta", 1),
                                 std::tuple(Severity::kError, "beta", 3),
                                 std::tuple(Severity::kWarning, "alpha", -1),
                                 std::tuple(Severity::kWarning, "beta", -1)));
  for (size_t f = 1; f < report.findings.size(); ++f) {
    EXPECT_GE(report.findings[f - 1].severity, report.findings[f].severity);
  }
}

TEST(Check, TellsEachFindingInAtMostThreeLines) {
  for (const Finding& finding : Check(ProgramOf({Sick("one"), Sick("two")})).findings) {
    EXPECT_FALSE(finding.explanation.empty()) << LineOf(finding);
    EXPECT_LE(std::ranges::count(finding.explanation, '\n'), 2) << finding.explanation;
    EXPECT_NE(finding.explanation.back(), '\n') << finding.explanation;
  }
}

TEST(Check, TellsInOneLineWhatToDoAboutEachFinding) {
  for (const Finding& finding : Check(ProgramOf({Sick("one"), Sick("two")})).findings) {
    EXPECT_TRUE(finding.fix.ends_with('.')) << LineOf(finding);
    EXPECT_EQ(std::ranges::count(finding.fix, '\n'), 0) << finding.fix;
    EXPECT_EQ(finding.explanation.find(finding.fix), std::string::npos) << finding.fix;
  }
}

TEST(Check, KeepsTheVerdictsOfSoundMethodsOutOfTheSickOnes) {
  const Report report = Check(ProgramOf({Twice("good"), Sick("bad"), Twice("better")}));
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kError) {
      EXPECT_EQ(finding.method, "bad");
    }
  }
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
}

TEST(Check, IsIndependentOfTheOrderOfMethods) {
  const Report one = Check(ProgramOf({Sick("a"), Twice("b"), Twice("c")}));
  const Report other = Check(ProgramOf({Twice("c"), Sick("a"), Twice("b")}));
  EXPECT_EQ(TroubleOf(one), TroubleOf(other));
}

TEST(Check, ChecksManyMethods) {
  std::vector<Method> methods;
  for (int i = 0; i < 500; ++i) methods.push_back(Twice("method" + std::to_string(i)));
  const Report report = Check(ProgramOf(std::move(methods)));
  EXPECT_THAT(TroubleOf(report), IsEmpty());
  EXPECT_THAT(report.banks, SizeIs(500));
}

TEST(Check, TakesNamesOfAnyCharacters) {
  const std::string odd = "a/b \"c\"\n{}%s\xF0\x9F\x98\x80\xFF";
  MethodBuilder b(odd);
  const int32_t state = b.Planned(2, 0, {8}, odd);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(state, x);
  MethodBuilder get("{0}");
  const int32_t source = get.Planned(2, 0, {8}, odd);
  const int32_t out = get.Planned(1, 0, {8});
  get.Call("aten::relu.out", {source, out, out});
  get.Output(out);
  const Report report = Check(ProgramOf({b.Build(), get.Build()}));
  ASSERT_THAT(LinesOf(report, rule::kStateSplit), SizeIs(1));
  EXPECT_THAT(ExplanationOf(report, rule::kStateSplit), HasSubstr("{0}"));
}

TEST(Check, SharesStateAboveFourGibibytes) {
  constexpr uint64_t kHigh = (uint64_t{1} << 32) + 64;
  MethodBuilder put("put");
  const int32_t target = put.Planned(2, kHigh, {8}, "state");
  const int32_t x = put.Planned(1, 0, {8});
  put.Input(x);
  put.Copy(target, x);
  MethodBuilder get("get");
  const int32_t low = get.Planned(2, 64, {8}, "state");
  const int32_t out = get.Planned(1, 0, {8});
  get.Call("aten::relu.out", {low, out, out});
  get.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({put.Build(), get.Build()})), rule::kSharedLayout),
              ElementsAre("error shared-layout get v0 bank 2 [64,96) under "
                          "share-1-2 share-all"));
}

TEST(CheckAssumptions, NamesThoseThatTheVerdictLeansOn) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Call("mine::mystery.out", {x, b.Int(1), y, y});
  const int32_t z = b.Planned(1, 64, {8});
  b.Delegate({y, z});
  b.Add(state, z, y);
  b.Copy(state, y);
  b.Output(y);
  const Program program = ProgramOf({b.Build()});
  const Report alone = Check(program);
  EXPECT_THAT(alone.assumptions,
              testing::UnorderedElementsAre(HasSubstr("an unknown operator returns"),
                                            HasSubstr("delegate"), HasSubstr("stores")));
  const Report stated = CheckWith(program, R"({"pteproof": 1, "methods": {"forward": {
      "mutates": ["state"], "delegates": [{"index": 0, "outputs": 1}]}}})");
  EXPECT_THAT(stated.assumptions, ElementsAre(HasSubstr("an unknown operator returns")));
  EXPECT_EQ(VerdictRow(stated), "safe safe safe");
}

// What follows the last argument that is not a tensor is written; everything before is read.
TEST(CheckAssumptions, LetsAnUnknownOperatorWriteItsTrailingTensors) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t kept = b.Planned(1, 32, {8});
  b.Add(x, x, kept);
  const int32_t out = b.Planned(1, 32, {8});
  b.Call("mine::mystery.out", {x, b.Int(1), out, out});
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(kept, out, sum);
  b.Output(sum);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              ElementsAre("error plan-overlap forward#1 v1 v3 bank 1 [32,64)"));
}

}  // namespace
}  // namespace pteproof
