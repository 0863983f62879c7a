#include "properties/proofs/solver/decide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace pteproof::proofs {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

SizeExpr S(int32_t id) {
  return SizeExpr::Symbol(id);
}

Comparison AtMost(const SizeExpr& left, const SizeExpr& right) {
  return {left, Relation::kLessEqual, right};
}

Comparison Same(const SizeExpr& left, const SizeExpr& right) {
  return {left, Relation::kEqual, right};
}

Obligation Goal(Clause goal) {
  Obligation obligation;
  obligation.kind = "plan-overlap";
  obligation.goal = std::move(goal);
  return obligation;
}

Decision DecideOne(Symbols symbols, Clause goal, const DecideOptions& options = {}) {
  Obligations obligations{std::move(symbols), {}};
  obligations.list.push_back(Goal(std::move(goal)));
  std::vector<Decision> decisions = Decide(obligations, options);
  EXPECT_THAT(decisions, SizeIs(1));
  return decisions.at(0);
}

const Symbol kN = {"n", 1, 8, {}};
const Symbol kM = {"m", 2, 5, {}};

TEST(Decide, ProvesALinearGoalAndNamesTheFactsThatItNeeds) {
  const Decision decision = DecideOne({kN, kM}, {AtMost(4 * S(0), 32)});
  EXPECT_EQ(decision.answer, Answer::kProved);
  EXPECT_EQ(decision.how, How::kSolver);
  EXPECT_THAT(decision.core, ElementsAre("n <= 8"));
  EXPECT_FALSE(decision.vacuous);
  EXPECT_FALSE(decision.needs_no_facts);
  EXPECT_THAT(decision.lemmas, IsEmpty());
}

TEST(Decide, RefutesALinearGoalWithAModel) {
  const Decision decision = DecideOne({kM, kN}, {AtMost(4 * S(1), 31)});
  EXPECT_EQ(decision.answer, Answer::kRefuted);
  ASSERT_THAT(decision.model, SizeIs(1));
  EXPECT_EQ(decision.model[0].symbol, 1);
  EXPECT_EQ(decision.model[0].value, 8);
}

TEST(Decide, DecidesProducts) {
  EXPECT_EQ(DecideOne({kN, kM}, {AtMost(S(0) * S(1), 40)}).answer, Answer::kProved);
  const Decision refuted = DecideOne({kN, kM}, {AtMost(S(0) * S(1), 39)});
  EXPECT_EQ(refuted.answer, Answer::kRefuted);
  ASSERT_THAT(refuted.model, SizeIs(2));
  EXPECT_EQ(refuted.model[0].value * refuted.model[1].value, 40);
}

TEST(Decide, DecidesDivisionsAndRemainders) {
  const SizeExpr rounded = 16 * CeilDiv(4 * S(0), 16);
  EXPECT_EQ(DecideOne({kN}, {AtMost(4 * S(0), rounded)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kN}, {AtMost(rounded, 4 * S(0) + 11)}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({kN}, {AtMost(Mod(S(0) * 3, 4), 2)}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({kN}, {AtMost(Mod(S(0) * 3 + 1, 4), 3)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kN}, {AtMost(Mod(S(0), -4), 0)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kN}, {AtMost(0, FloorDiv(S(0), -4))}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({{"z", 0, 0, {}}}, {Same(FloorDiv(5, S(0) + S(0)), 0)}).answer,
            Answer::kProved);
}

TEST(Decide, DecidesMinimaAndMaxima) {
  EXPECT_EQ(DecideOne({kN, kM}, {AtMost(Min(S(0), S(1)), 5)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kN, kM}, {AtMost(Max(S(0), S(1)), 5)}).answer, Answer::kRefuted);
}

TEST(Decide, RefutesAnEmptyGoal) {
  EXPECT_EQ(DecideOne({kN}, {}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({}, {}, {.fast = true}).answer, Answer::kRefuted);
}

TEST(Decide, SendsConstantsToTheSolverUnlessFast) {
  for (const bool fast : {false, true}) {
    const How how = fast ? How::kFolded : How::kSolver;
    const Decision proved = DecideOne({kN}, {AtMost(8, 8)}, {.fast = fast});
    EXPECT_EQ(proved.answer, Answer::kProved);
    EXPECT_EQ(proved.how, how);
    const Decision refuted = DecideOne({kN}, {AtMost(9, 8)}, {.fast = fast});
    EXPECT_EQ(refuted.answer, Answer::kRefuted);
    EXPECT_EQ(refuted.how, how);
    EXPECT_EQ(DecideOne({kN}, {AtMost(S(0), 8)}, {.fast = fast}).how, How::kSolver);
  }
}

TEST(Decide, UsesABoundThatFollowsFromTheDefinition) {
  const Symbol size = {"size", 0, 160, 4 * S(0) * S(1)};
  const Decision decision = DecideOne({kN, kM, size}, {AtMost(S(2) + 64, 224)});
  EXPECT_EQ(decision.answer, Answer::kProved);
  EXPECT_EQ(decision.how, How::kLemmas);
  EXPECT_THAT(decision.core, ElementsAre("size <= 160"));
  EXPECT_THAT(decision.lemmas, ElementsAre(2));
  EXPECT_THAT(decision.unshown, IsEmpty());
}

TEST(Decide, DoesNotUseABoundThatDoesNotFollow) {
  const Symbol size = {"size", 0, 159, 4 * S(0) * S(1)};
  const Decision refuted = DecideOne({kN, kM, size}, {AtMost(S(2), 159)});
  EXPECT_EQ(refuted.answer, Answer::kRefuted);
  EXPECT_THAT(refuted.unshown, ElementsAre(2));
  ASSERT_THAT(refuted.model, SizeIs(3));
  EXPECT_EQ(refuted.model[2].value, 160);
  const Decision proved = DecideOne({kN, kM, size}, {AtMost(S(2), 160)});
  EXPECT_EQ(proved.answer, Answer::kProved);
  EXPECT_EQ(proved.how, How::kDefinitions);
  EXPECT_THAT(proved.core, Contains("size = 4*n*m"));
}

TEST(Decide, FallsBackToDefinitionsWhereBoundsDoNotSuffice) {
  const Symbol a = {"a", 0, 32, 4 * S(0)};
  const Symbol b = {"b", 0, 48, S(1) + 2 * S(0)};
  const Decision proved = DecideOne({kN, a, b}, {AtMost(S(1) + S(0), S(2))});
  EXPECT_EQ(proved.answer, Answer::kProved);
  EXPECT_EQ(proved.how, How::kDefinitions);
  const Decision refuted = DecideOne({kN, a, b}, {AtMost(S(2), S(1) + 15)});
  EXPECT_EQ(refuted.answer, Answer::kRefuted);
  ASSERT_THAT(refuted.model, SizeIs(3));
  EXPECT_EQ(refuted.model[0].value, 8);
  EXPECT_EQ(refuted.model[1].value, 32);
  EXPECT_EQ(refuted.model[2].value, 48);
}

TEST(Decide, ModelsMaySayWhat64BitsDoNotHold) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  const Symbol n = {"n", most, most, {}};
  const Symbol size = {"size", 0, {}, 4 * S(0)};
  const Decision decision = DecideOne({n, size}, {AtMost(S(1), most)});
  EXPECT_EQ(decision.answer, Answer::kRefuted);
  ASSERT_THAT(decision.model, SizeIs(2));
  EXPECT_TRUE(decision.model[0].exact);
  EXPECT_FALSE(decision.model[1].exact);
}

TEST(Decide, SaysThatAProofIsVacuous) {
  const Symbol none = {"none", 3, 2, {}};
  const Symbol size = {"size", 0, 8, 4 * S(1)};
  EXPECT_TRUE(DecideOne({kN, none}, {AtMost(S(1), 0)}).vacuous);
  EXPECT_TRUE(DecideOne({kN, none, size}, {AtMost(S(2), 8)}).vacuous);
  EXPECT_FALSE(DecideOne({kN, none}, {AtMost(S(0), 8)}).vacuous);
}

TEST(Decide, SaysThatAProofNeedsNoFacts) {
  EXPECT_TRUE(DecideOne({kN}, {AtMost(S(0), Max(S(0), 3))}).needs_no_facts);
  EXPECT_TRUE(
      DecideOne({kN, kM}, {{S(0), Relation::kLess, S(1)}, AtMost(S(1), S(0))}).needs_no_facts);
  const Symbol twice = {"twice", 2, 16, S(0) + S(0)};
  EXPECT_TRUE(DecideOne({kN, twice}, {Same(S(1), 2 * S(0))}).needs_no_facts);
  EXPECT_FALSE(DecideOne({kN, twice}, {AtMost(S(0), S(1))}).needs_no_facts);
  EXPECT_FALSE(DecideOne({kN}, {AtMost(3, 4)}).needs_no_facts) << "there are none to drop";
}

TEST(Decide, IsUnknownWithAReasonWhenTimeIsOver) {
  // A sum of three cubes: the smallest that there is has 16 digits.
  const Symbols symbols(3, Symbol{"x", -10'000'000'000'000'000, 10'000'000'000'000'000, {}});
  const SizeExpr cubes = S(0) * S(0) * S(0) + S(1) * S(1) * S(1) + S(2) * S(2) * S(2);
  const Clause is_not_33 = {{cubes, Relation::kLess, 33}, {33, Relation::kLess, cubes}};
  const Decision decision = DecideOne(symbols, is_not_33, {.milliseconds = 1});
  EXPECT_EQ(decision.answer, Answer::kUnknown);
  EXPECT_THAT(decision.reason, HasSubstr("ms"));
}

TEST(Decide, IsUnknownWithAReasonWhenMemoryIsOver) {
  const Decision decision = DecideOne({kN, kM}, {AtMost(S(0) * S(1), 40)}, {.megabytes = 1});
  EXPECT_EQ(decision.answer, Answer::kUnknown);
  EXPECT_THAT(decision.reason, HasSubstr("memory"));
  EXPECT_EQ(DecideOne({kN, kM}, {AtMost(S(0) * S(1), 40)}).answer, Answer::kProved);
}

TEST(Decide, IsUnknownWhereASymbolIsNotThere) {
  EXPECT_EQ(DecideOne({kN}, {AtMost(S(1), 40)}).answer, Answer::kUnknown);
  const Symbol early = {"early", 0, 8, S(1)};
  EXPECT_EQ(DecideOne({early, kN}, {AtMost(S(0), 8)}).answer, Answer::kUnknown);
}

TEST(Decide, AsksEqualQuestionsOnce) {
  Obligations obligations{{kN, {"other", 1, 8, {}}, kM}, {}};
  obligations.list = {Goal({AtMost(S(0), 8)}), Goal({AtMost(S(1), 8)}), Goal({AtMost(S(2), 8)}),
                      Goal({AtMost(S(1), 7)})};
  size_t done = 0;
  const std::vector<Decision> decisions =
      Decide(obligations, {.progress = [&](size_t now, size_t total) {
               EXPECT_EQ(now, ++done);
               EXPECT_EQ(total, 4U);
             }});
  ASSERT_THAT(decisions, SizeIs(4));
  EXPECT_FALSE(decisions[0].shared);
  EXPECT_TRUE(decisions[1].shared);
  EXPECT_THAT(decisions[1].core, ElementsAre("other <= 8"));
  EXPECT_FALSE(decisions[2].shared);
  EXPECT_FALSE(decisions[3].shared);
  EXPECT_EQ(done, 4U);
}

}  // namespace
}  // namespace pteproof::proofs
