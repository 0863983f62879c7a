// Which parts of a case do not matter, where that is known by hand: failures that are made up.
#include "properties/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "properties/explain/words.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/op_schema.h"

namespace pteproof::explain {
namespace {

using generators::RandomCase;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kText = R"(buffer @k: float32[3] = [1.0, 2.0, 3.0]

method m(%x: float32[3], %y: float32[3]) {
  %0 = entry @k
  %1: float32[3] = aten::mul.out(%x, %0)
  %2: float32[3] = aten::neg.out(%1)
  %3: float32[3] = aten::exp.out(%y)
  %4: float32[3] = aten::maximum.out(%2, %3)
  return %4
}
)";

TensorValue Ones() {
  TensorValue ones = Zeros(ScalarType::kFloat32, {3});
  for (int64_t i = 0; i < 3; ++i) SetReal(ones, i, 1.0);
  return ones;
}

RandomCase SmallCase() {
  auto module = graph::Parse(kText);
  EXPECT_TRUE(module.ok());
  RandomCase c;
  c.module = std::move(module).value();
  c.calls.push_back({0, {Ones(), Ones()}});
  return c;
}

const std::string& OperatorAt(const RandomCase& c, size_t node) {
  return c.module.methods[0].body.nodes[node].op;
}

const TensorValue& InputAt(const RandomCase& c, size_t input) {
  return std::get<TensorValue>(c.calls[0].inputs[input]);
}

Standing StandingOf(const Explanation& explanation, const Part& part) {
  const auto at = std::ranges::find(explanation.parts, part, &PartStanding::part);
  EXPECT_NE(at, explanation.parts.end());
  return at == explanation.parts.end() ? Standing::kUntried : at->standing;
}

const Part kMul = {PartKind::kNode, 0, 0};
const Part kNeg = {PartKind::kNode, 0, 1};
const Part kExp = {PartKind::kNode, 0, 2};
const Part kBufferK = {PartKind::kBuffer, 0, 0};
const Part kInputX = {PartKind::kInput, 0, 0};
const Part kInputY = {PartKind::kInput, 0, 1};

constexpr const char* kOverlap = "plan-overlap";

TEST(Explain, TellsTheOperatorThatMattersFromThoseThatDoNot) {
  const RandomCase c = SmallCase();
  const auto kind = [](const RandomCase& other) {
    return OperatorAt(other, 1) == "aten::neg.out" ? kOverlap : "";
  };
  const Explanation explanation = Explain(c, kind);
  EXPECT_EQ(explanation.kind, "plan-overlap");
  EXPECT_EQ(StandingOf(explanation, kNeg), Standing::kMatters);
  for (const Part& part : {kMul, kExp, kBufferK, kInputX, kInputY}) {
    EXPECT_EQ(StandingOf(explanation, part), Standing::kAnything) << part.at;
  }
  EXPECT_EQ(explanation.together, Together::kStays);
  EXPECT_FALSE(explanation.cut_short);

  const std::string text = graph::Print(c.module, NotesOf(c, explanation));
  EXPECT_THAT(text, HasSubstr("neg.out(%1)\n"));
  EXPECT_THAT(text, HasSubstr("exp.out(%y)  # any operator of its signature will do\n"));
  EXPECT_THAT(text, HasSubstr("3.0]  # any value will do\n"));
  EXPECT_THAT(text, HasSubstr("{  # any inputs will do\n"));
  EXPECT_THAT(SummaryOf(c, explanation),
              testing::MatchesRegex("Essential: %2 \\(aten::neg.out\\) in m, but not with "
                                    "aten::[^;]*; all else may be anything, one by one and all at "
                                    "once.\n"));
}

TEST(Explain, FindsTheElementThatMatters) {
  const RandomCase c = SmallCase();
  const auto kind = [](const RandomCase& other) {
    return RealAt(InputAt(other, 0), 1) == 1.0 ? kOverlap : "";
  };
  const Explanation explanation = Explain(c, kind);
  EXPECT_EQ(StandingOf(explanation, kInputX), Standing::kMatters);
  EXPECT_EQ(StandingOf(explanation, kInputY), Standing::kAnything);
  const auto element = [](int64_t i) { return Part{PartKind::kInput, 0, 0, i}; };
  EXPECT_EQ(StandingOf(explanation, element(0)), Standing::kAnything);
  EXPECT_EQ(StandingOf(explanation, element(1)), Standing::kMatters);
  EXPECT_EQ(StandingOf(explanation, element(2)), Standing::kAnything);
  EXPECT_THAT(SummaryOf(c, explanation), HasSubstr("element 1 of %x in call 0 (m); all else"));
  EXPECT_THAT(graph::Print(c.module, NotesOf(c, explanation)),
              HasSubstr("{  # %y: any value will do\n"));
}

TEST(Explain, FindsTheBufferThatMatters) {
  const RandomCase c = SmallCase();
  const auto kind = [&](const RandomCase& other) {
    return other.module.buffers == c.module.buffers ? kOverlap : "";
  };
  const Explanation explanation = Explain(c, kind);
  EXPECT_EQ(StandingOf(explanation, kBufferK), Standing::kMatters);
  EXPECT_EQ(StandingOf(explanation, kMul), Standing::kAnything);
  // None of its elements may change.
  EXPECT_THAT(SummaryOf(c, explanation), HasSubstr("Essential: the initial value of @k; all"));
  EXPECT_THAT(graph::Print(c.module, NotesOf(c, explanation)), HasSubstr("3.0]\n"));
}

TEST(Explain, SaysWhereAllAtOnceIsTooMuch) {
  const RandomCase c = SmallCase();
  const auto kind = [&](const RandomCase& other) {
    const bool either = InputAt(other, 0) == InputAt(c, 0) || InputAt(other, 1) == InputAt(c, 1);
    return either ? kOverlap : "";
  };
  const Explanation explanation = Explain(c, kind);
  EXPECT_EQ(StandingOf(explanation, kInputX), Standing::kAnything);
  EXPECT_EQ(StandingOf(explanation, kInputY), Standing::kAnything);
  EXPECT_EQ(explanation.together, Together::kGoes);
  EXPECT_THAT(SummaryOf(c, explanation), HasSubstr("one by one, but not all at once"));
}

// One operator of many with which the failure goes: parts alone hit upon it rarely, all together
// are tried until they do no more.
TEST(Explain, BlamesThePartOfAllTogetherThatMattersAlone) {
  const RandomCase c = SmallCase();
  for (const OpSchema& schema : AllOperators()) {
    const auto kind = [&](const RandomCase& other) {
      return OperatorAt(other, 1) == schema.name ? "" : kOverlap;
    };
    const Explanation explanation = Explain(c, kind);
    if (explanation.kind.empty()) continue;  // neg itself
    const auto at = std::ranges::find(explanation.parts, kNeg, &PartStanding::part);
    ASSERT_NE(at, explanation.parts.end());
    if (at->standing == Standing::kMatters) EXPECT_EQ(at->not_with, schema.name);
    EXPECT_EQ(explanation.together, Together::kStays) << schema.name;
  }
}

// Nodes are counted as they are printed: each before those of its regions.
TEST(Explain, NotesNodesOfRegionsAtTheirLines) {
  constexpr const char* kBranches = R"(method m(%p: bool[], %x: float32[2]) {
  %0: float32[2] = cond(%p, %x) {
    (%1: float32[2]) {
      %2: float32[2] = aten::neg.out(%1)
      return %2
    }
    (%3: float32[2]) {
      %4: float32[2] = aten::exp.out(%3)
      return %4
    }
  }
  %5: float32[2] = aten::abs.out(%0)
  return %5
}
)";
  auto module = graph::Parse(kBranches);
  ASSERT_TRUE(module.ok());
  RandomCase c;
  c.module = std::move(module).value();
  const auto kind = [](const RandomCase& other) {
    const graph::Node& cond = other.module.methods[0].body.nodes[0];
    return cond.regions[1].nodes[0].op == "aten::exp.out" ? kOverlap : "";
  };
  const Explanation explanation = Explain(c, kind);
  const std::string text = graph::Print(c.module, NotesOf(c, explanation));
  EXPECT_THAT(text, HasSubstr("cond(%p, %x) {\n"));
  EXPECT_THAT(text, HasSubstr("neg.out(%1)  # any operator of its signature will do\n"));
  EXPECT_THAT(text, HasSubstr("exp.out(%3)\n"));
  EXPECT_THAT(text, HasSubstr("abs.out(%0)  # any operator of its signature will do\n"));
  const std::string summary = SummaryOf(c, explanation);
  EXPECT_THAT(summary, HasSubstr("Essential: %4 (aten::exp.out) in m, but not with "));
  EXPECT_THAT(summary, HasSubstr("Not tried, as no replacement fits: %0 (cond) in m.\n"));
}

TEST(Explain, TakesAFailureOfAnotherKindForNone) {
  const RandomCase c = SmallCase();
  const auto kind = [](const RandomCase& other) {
    return OperatorAt(other, 2) == "aten::exp.out" ? kOverlap : "plan-bounds";
  };
  EXPECT_EQ(StandingOf(Explain(c, kind), kExp), Standing::kMatters);
}

TEST(Explain, IsSilentWhereNothingFails) {
  const RandomCase c = SmallCase();
  const Explanation explanation = Explain(c, [](const RandomCase&) { return ""; });
  EXPECT_TRUE(explanation.parts.empty());
  EXPECT_EQ(SummaryOf(c, explanation), "");
  EXPECT_EQ(graph::Print(c.module, NotesOf(c, explanation)), kText);
}

TEST(Explain, StopsWhenTheTimeIsUp) {
  const RandomCase c = SmallCase();
  const Explanation explanation =
      Explain(c, [](const RandomCase&) { return kOverlap; }, {.seconds = 0});
  EXPECT_TRUE(explanation.cut_short);
  EXPECT_EQ(explanation.tried, 0U);
  EXPECT_THAT(SummaryOf(c, explanation), HasSubstr("for lack of time"));
  EXPECT_THAT(graph::Print(c.module, NotesOf(c, explanation)), Not(HasSubstr("#")));
}

TEST(Explain, SaysTheSameOfEqualCases) {
  const RandomCase c = SmallCase();
  const auto kind = [](const RandomCase& other) {
    return OperatorAt(other, 0).size() < 14 ? kOverlap : "";
  };
  EXPECT_EQ(SummaryOf(c, Explain(c, kind)), SummaryOf(c, Explain(c, kind)));
}

TEST(Explain, LeavesATextThatIsStillTheModule) {
  const RandomCase c = SmallCase();
  const Explanation explanation = Explain(c, [](const RandomCase&) { return kOverlap; });
  const auto again = graph::Parse(graph::Print(c.module, NotesOf(c, explanation)));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value(), c.module);
}

}  // namespace
}  // namespace pteproof::explain
