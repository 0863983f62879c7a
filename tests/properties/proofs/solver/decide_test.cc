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

SizeExpr Sym(int32_t id) {
  return SizeExpr::Symbol(id);
}

Comparison AtMost(const SizeExpr& left, const SizeExpr& right) {
  return {left, Relation::kLessEqual, right};
}

Comparison Equal(const SizeExpr& left, const SizeExpr& right) {
  return {left, Relation::kEqual, right};
}

Obligation OverlapGoal(Clause goal) {
  Obligation obligation;
  obligation.kind = "plan-overlap";
  obligation.goal = std::move(goal);
  return obligation;
}

Decision DecideOne(Symbols symbols, Clause goal, const DecideOptions& options = {}) {
  Obligations obligations{std::move(symbols), {}};
  obligations.list.push_back(OverlapGoal(std::move(goal)));
  std::vector<Decision> decisions = Decide(obligations, options);
  EXPECT_THAT(decisions, SizeIs(1));
  return decisions.at(0);
}

const Symbol kDimN = {"n", 1, 8, {}};
const Symbol kDimM = {"m", 2, 5, {}};

TEST(Decide, ProvesALinearGoalAndNamesTheFactsThatItNeeds) {
  const Decision decision = DecideOne({kDimN, kDimM}, {AtMost(4 * Sym(0), 32)});
  EXPECT_EQ(decision.answer, Answer::kProved);
  EXPECT_EQ(decision.how, How::kSolver);
  EXPECT_THAT(decision.core, ElementsAre("n <= 8"));
  EXPECT_FALSE(decision.vacuous);
  EXPECT_FALSE(decision.needs_no_facts);
  EXPECT_THAT(decision.lemmas, IsEmpty());
}

TEST(Decide, RefutesALinearGoalWithAModel) {
  const Decision decision = DecideOne({kDimM, kDimN}, {AtMost(4 * Sym(1), 31)});
  EXPECT_EQ(decision.answer, Answer::kRefuted);
  ASSERT_THAT(decision.model, SizeIs(1));
  EXPECT_EQ(decision.model[0].symbol, 1);
  EXPECT_EQ(decision.model[0].value, 8);
}

TEST(Decide, DecidesProducts) {
  EXPECT_EQ(DecideOne({kDimN, kDimM}, {AtMost(Sym(0) * Sym(1), 40)}).answer, Answer::kProved);
  const Decision refuted = DecideOne({kDimN, kDimM}, {AtMost(Sym(0) * Sym(1), 39)});
  EXPECT_EQ(refuted.answer, Answer::kRefuted);
  ASSERT_THAT(refuted.model, SizeIs(2));
  EXPECT_EQ(refuted.model[0].value * refuted.model[1].value, 40);
}

TEST(Decide, DecidesDivisionsAndRemainders) {
  const SizeExpr rounded = 16 * CeilDiv(4 * Sym(0), 16);
  EXPECT_EQ(DecideOne({kDimN}, {AtMost(4 * Sym(0), rounded)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kDimN}, {AtMost(rounded, 4 * Sym(0) + 11)}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({kDimN}, {AtMost(Mod(Sym(0) * 3, 4), 2)}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({kDimN}, {AtMost(Mod(Sym(0) * 3 + 1, 4), 3)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kDimN}, {AtMost(Mod(Sym(0), -4), 0)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kDimN}, {AtMost(0, FloorDiv(Sym(0), -4))}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({{"z", 0, 0, {}}}, {Equal(FloorDiv(5, Sym(0) + Sym(0)), 0)}).answer,
            Answer::kProved);
}

TEST(Decide, DecidesMinimaAndMaxima) {
  EXPECT_EQ(DecideOne({kDimN, kDimM}, {AtMost(Min(Sym(0), Sym(1)), 5)}).answer, Answer::kProved);
  EXPECT_EQ(DecideOne({kDimN, kDimM}, {AtMost(Max(Sym(0), Sym(1)), 5)}).answer, Answer::kRefuted);
}

TEST(Decide, RefutesAnEmptyGoal) {
  EXPECT_EQ(DecideOne({kDimN}, {}).answer, Answer::kRefuted);
  EXPECT_EQ(DecideOne({}, {}, {.fast = true}).answer, Answer::kRefuted);
}

TEST(Decide, SendsConstantsToTheSolverUnlessFast) {
  for (const bool fast : {false, true}) {
    const How how = fast ? How::kFolded : How::kSolver;
    const Decision proved = DecideOne({kDimN}, {AtMost(8, 8)}, {.fast = fast});
    EXPECT_EQ(proved.answer, Answer::kProved);
    EXPECT_EQ(proved.how, how);
    const Decision refuted = DecideOne({kDimN}, {AtMost(9, 8)}, {.fast = fast});
    EXPECT_EQ(refuted.answer, Answer::kRefuted);
    EXPECT_EQ(refuted.how, how);
    EXPECT_EQ(DecideOne({kDimN}, {AtMost(Sym(0), 8)}, {.fast = fast}).how, How::kSolver);
  }
}

TEST(Decide, UsesABoundThatFollowsFromTheDefinition) {
  const Symbol size = {"size", 0, 160, 4 * Sym(0) * Sym(1)};
  const Decision decision = DecideOne({kDimN, kDimM, size}, {AtMost(Sym(2) + 64, 224)});
  EXPECT_EQ(decision.answer, Answer::kProved);
  EXPECT_EQ(decision.how, How::kLemmas);
  EXPECT_THAT(decision.core, ElementsAre("size <= 160"));
  EXPECT_THAT(decision.lemmas, ElementsAre(2));
  EXPECT_THAT(decision.unshown, IsEmpty());
}

TEST(Decide, DoesNotUseABoundThatDoesNotFollow) {
  const Symbol size = {"size", 0, 159, 4 * Sym(0) * Sym(1)};
  const Decision refuted = DecideOne({kDimN, kDimM, size}, {AtMost(Sym(2), 159)});
  EXPECT_EQ(refuted.answer, Answer::kRefuted);
  EXPECT_THAT(refuted.unshown, ElementsAre(2));
  ASSERT_THAT(refuted.model, SizeIs(3));
  EXPECT_EQ(refuted.model[2].value, 160);
  const Decision proved = DecideOne({kDimN, kDimM, size}, {AtMost(Sym(2), 160)});
  EXPECT_EQ(proved.answer, Answer::kProved);
  EXPECT_EQ(proved.how, How::kDefinitions);
  EXPECT_THAT(proved.core, Contains("size = 4*n*m"));
}

TEST(Decide, FallsBackToDefinitionsWhereBoundsDoNotSuffice) {
  const Symbol a = {"a", 0, 32, 4 * Sym(0)};
  const Symbol b = {"b", 0, 48, Sym(1) + 2 * Sym(0)};
  const Decision proved = DecideOne({kDimN, a, b}, {AtMost(Sym(1) + Sym(0), Sym(2))});
  EXPECT_EQ(proved.answer, Answer::kProved);
  EXPECT_EQ(proved.how, How::kDefinitions);
  const Decision refuted = DecideOne({kDimN, a, b}, {AtMost(Sym(2), Sym(1) + 15)});
  EXPECT_EQ(refuted.answer, Answer::kRefuted);
  ASSERT_THAT(refuted.model, SizeIs(3));
  EXPECT_EQ(refuted.model[0].value, 8);
  EXPECT_EQ(refuted.model[1].value, 32);
  EXPECT_EQ(refuted.model[2].value, 48);
}

TEST(Decide, ModelsMaySayWhat64BitsDoNotHold) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  const Symbol n = {"n", most, most, {}};
  const Symbol size = {"size", 0, {}, 4 * Sym(0)};
  const Decision decision = DecideOne({n, size}, {AtMost(Sym(1), most)});
  EXPECT_EQ(decision.answer, Answer::kRefuted);
  ASSERT_THAT(decision.model, SizeIs(2));
  EXPECT_TRUE(decision.model[0].exact);
  EXPECT_FALSE(decision.model[1].exact);
}

TEST(Decide, SaysThatAProofIsVacuous) {
  const Symbol none = {"none", 3, 2, {}};
  const Symbol size = {"size", 0, 8, 4 * Sym(1)};
  EXPECT_TRUE(DecideOne({kDimN, none}, {AtMost(Sym(1), 0)}).vacuous);
  EXPECT_TRUE(DecideOne({kDimN, none, size}, {AtMost(Sym(2), 8)}).vacuous);
  EXPECT_FALSE(DecideOne({kDimN, none}, {AtMost(Sym(0), 8)}).vacuous);
}

TEST(Decide, SaysThatAProofNeedsNoFacts) {
  EXPECT_TRUE(DecideOne({kDimN}, {AtMost(Sym(0), Max(Sym(0), 3))}).needs_no_facts);
  EXPECT_TRUE(DecideOne({kDimN, kDimM}, {{Sym(0), Relation::kLess, Sym(1)}, AtMost(Sym(1), Sym(0))})
                  .needs_no_facts);
  const Symbol twice = {"twice", 2, 16, Sym(0) + Sym(0)};
  EXPECT_TRUE(DecideOne({kDimN, twice}, {Equal(Sym(1), 2 * Sym(0))}).needs_no_facts);
  EXPECT_FALSE(DecideOne({kDimN, twice}, {AtMost(Sym(0), Sym(1))}).needs_no_facts);
  EXPECT_FALSE(DecideOne({kDimN}, {AtMost(3, 4)}).needs_no_facts) << "there are none to drop";
}

TEST(Decide, IsUnknownWithAReasonWhenTimeIsOver) {
  // A sum of three cubes: the smallest that there is has 16 digits.
  const Symbols symbols(3, Symbol{"x", -10'000'000'000'000'000, 10'000'000'000'000'000, {}});
  const SizeExpr cubes =
      Sym(0) * Sym(0) * Sym(0) + Sym(1) * Sym(1) * Sym(1) + Sym(2) * Sym(2) * Sym(2);
  const Clause is_not_33 = {{cubes, Relation::kLess, 33}, {33, Relation::kLess, cubes}};
  const Decision decision = DecideOne(symbols, is_not_33, {.milliseconds = 1});
  EXPECT_EQ(decision.answer, Answer::kUnknown);
  EXPECT_THAT(decision.reason, HasSubstr("ms"));
}

TEST(Decide, IsUnknownWithAReasonWhenMemoryIsOver) {
  const Decision decision =
      DecideOne({kDimN, kDimM}, {AtMost(Sym(0) * Sym(1), 40)}, {.megabytes = 1});
  EXPECT_EQ(decision.answer, Answer::kUnknown);
  EXPECT_THAT(decision.reason, HasSubstr("memory"));
  EXPECT_EQ(DecideOne({kDimN, kDimM}, {AtMost(Sym(0) * Sym(1), 40)}).answer, Answer::kProved);
}

TEST(Decide, IsUnknownWhereASymbolIsNotThere) {
  EXPECT_EQ(DecideOne({kDimN}, {AtMost(Sym(1), 40)}).answer, Answer::kUnknown);
  const Symbol early = {"early", 0, 8, Sym(1)};
  EXPECT_EQ(DecideOne({early, kDimN}, {AtMost(Sym(0), 8)}).answer, Answer::kUnknown);
}

TEST(Decide, AsksEqualQuestionsOnce) {
  Obligations obligations{{kDimN, {"other", 1, 8, {}}, kDimM}, {}};
  obligations.list = {OverlapGoal({AtMost(Sym(0), 8)}), OverlapGoal({AtMost(Sym(1), 8)}),
                      OverlapGoal({AtMost(Sym(2), 8)}), OverlapGoal({AtMost(Sym(1), 7)})};
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
