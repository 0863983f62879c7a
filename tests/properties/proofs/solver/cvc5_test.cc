// cvc5 as the only solver, as the second one, and where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/proofs/solver/decide.h"

namespace pteproof::proofs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Obligations TwoGoals() {
  Obligations obligations;
  obligations.symbols = {{"n", -3, 8, {}}, {"m", 2, 5, {}}};
  Obligation obligation;
  obligation.kind = "plan-bounds";
  const SizeExpr n = SizeExpr::Symbol(0);
  obligation.goal = {{4 * n, Relation::kLessEqual, 32}};
  obligations.list.push_back(obligation);
  obligation.goal = {{-2, Relation::kLessEqual, n}};
  obligations.list.push_back(obligation);
  return obligations;
}

TEST(Cvc5, ProvesWithACoreAndRefutesWithAModel) {
  const DecideOptions options = {.solver = SolverChoice::kCvc5};
  ASSERT_EQ(WhyNotUsable(options), std::nullopt);
  const std::vector<Decision> decisions = Decide(TwoGoals(), options);
  ASSERT_THAT(decisions, SizeIs(2));
  EXPECT_EQ(decisions[0].answer, Answer::kProved) << decisions[0].reason;
  EXPECT_THAT(decisions[0].core, ElementsAre("n <= 8"));
  EXPECT_EQ(decisions[1].answer, Answer::kRefuted) << decisions[1].reason;
  ASSERT_THAT(decisions[1].model, SizeIs(1));
  EXPECT_EQ(decisions[1].model[0].value, -3);
  EXPECT_EQ(decisions[1].second, std::nullopt);
}

TEST(Cvc5, IsComparedWithZ3) {
  const std::vector<Decision> decisions = Decide(TwoGoals(), {.solver = SolverChoice::kBoth});
  ASSERT_THAT(decisions, SizeIs(2));
  EXPECT_EQ(decisions[0].second, Answer::kProved);
  EXPECT_EQ(decisions[1].second, Answer::kRefuted);
  EXPECT_FALSE(decisions[0].disagree || decisions[1].disagree);
}

TEST(Cvc5, ThatIsNotThereIsAReason) {
  DecideOptions options = {.solver = SolverChoice::kBoth, .cvc5 = "no-such-solver"};
  EXPECT_THAT(WhyNotUsable(options).value_or(""), HasSubstr("'no-such-solver'"));
  const std::vector<Decision> compared = Decide(TwoGoals(), options);
  EXPECT_EQ(compared.at(0).answer, Answer::kProved);
  EXPECT_EQ(compared.at(0).second, Answer::kUnknown);
  EXPECT_THAT(compared.at(0).second_reason, HasSubstr("could not be started"));
  options.solver = SolverChoice::kCvc5;
  const std::vector<Decision> alone = Decide(TwoGoals(), options);
  EXPECT_EQ(alone.at(0).answer, Answer::kUnknown);
  EXPECT_THAT(alone.at(0).reason, HasSubstr("could not be started"));
}

TEST(Cvc5, ThatIsAnotherProgramIsAReason) {
  for (const char* program : {"cat", "true"}) {
    const DecideOptions options = {
        .milliseconds = 100, .solver = SolverChoice::kCvc5, .cvc5 = program};
    EXPECT_NE(WhyNotUsable(options), std::nullopt) << program;
    EXPECT_EQ(Decide(TwoGoals(), options).at(0).answer, Answer::kUnknown) << program;
  }
}

TEST(WhyNotUsable, NamesAFolderThatIsNotThere) {
  EXPECT_THAT(WhyNotUsable({.smt_dir = "no/such/folder"}).value_or(""),
              HasSubstr("no/such/folder"));
}

}  // namespace
}  // namespace pteproof::proofs
