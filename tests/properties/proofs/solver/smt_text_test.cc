#include "properties/proofs/solver/smt_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "properties/proofs/solver/child_process.h"
#include "properties/proofs/solver/decide.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof::proofs {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

// What cvc5 says to a file, its first line.
std::string SolverSays(const std::string& file) {
  auto child = ChildProcess::Start({"cvc5", "--tlimit=20000", file}, 1024);
  if (!child.ok()) return child.error();
  return child.value()
      .ReadLine(std::chrono::steady_clock::now() + std::chrono::seconds(30))
      .value_or("nothing");
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& path : FilesBelow(folder)) names.push_back(path.filename().string());
  return names;
}

Obligation PlacedGoal(Clause goal) {
  Obligation obligation;
  obligation.kind = "plan-overlap";
  obligation.method = "for\nward";
  obligation.instruction = 3;
  obligation.values = {5, 7};
  obligation.goal = std::move(goal);
  return obligation;
}

TEST(SmtText, IsOneQuestionThatStandsAlone) {
  const Symbols symbols = {{"n", -1, 8, {}}};
  const Clause goal = {{4 * SizeExpr::Symbol(0), Relation::kLess, 33}};
  const auto query = MakeQuery(symbols, goal, [](int32_t) { return Assumed{}; });
  ASSERT_TRUE(query);
  EXPECT_EQ(SmtFile(*query, "what it\nasks"),
            "; what it asks\n"
            "(set-logic QF_LIA)\n"
            "(declare-fun |n| () Int)\n"
            "(assert (! (>= |n| (- 1)) :named |least n|))\n"
            "(assert (! (<= |n| 8) :named |most n|))\n"
            "(assert (! (not (or false (< (* 4 |n|) 33))) :named |the goal does not hold|))\n"
            "(check-sat)\n");
}

TEST(SmtFiles, AreOneForEachQuestionAndAnotherSolverReadsThem) {
  const TempFolder folder;
  const SizeExpr a = SizeExpr::Symbol(0);
  const SizeExpr b = SizeExpr::Symbol(1);
  const SizeExpr size = SizeExpr::Symbol(2);
  Obligations obligations;
  obligations.symbols = {{"a|b\\c", 1, 8, {}}, {"a|b\\c", 2, 5, {}}, {"most a", 0, 160, 4 * a * b}};
  obligations.list = {
      PlacedGoal({{size, Relation::kLessEqual, 160}}),
      PlacedGoal({{size, Relation::kLessEqual, 159}}),
      PlacedGoal({{FloorDiv(Min(a, b), b - 3), Relation::kLess, Max(Mod(a, -3), 100)}}),
  };
  const std::vector<Decision> decisions = Decide(obligations, {.smt_dir = folder.path()});
  EXPECT_THAT(
      NamesIn(folder.path()),
      ElementsAre("0-plan-overlap.smt2", "1-plan-overlap-definitions.smt2", "1-plan-overlap.smt2",
                  "2-plan-overlap-without-ranges.smt2", "2-plan-overlap.smt2", "bound-2-least.smt2",
                  "bound-2-most.smt2", "range-0.smt2", "range-1.smt2"));
  EXPECT_THAT(decisions[1].smt_file, EndsWith("1-plan-overlap-definitions.smt2"));
  EXPECT_THAT(decisions[2].smt_file, EndsWith("2-plan-overlap.smt2"));
  const auto says = [&](const std::string& name) { return SolverSays(folder.path() + "/" + name); };
  EXPECT_EQ(says("0-plan-overlap.smt2"), "unsat");
  EXPECT_EQ(says("1-plan-overlap.smt2"), "sat");
  EXPECT_EQ(says("1-plan-overlap-definitions.smt2"), "sat");
  EXPECT_EQ(says("2-plan-overlap.smt2"), "unsat");
  EXPECT_EQ(says("bound-2-least.smt2"), "unsat");
  EXPECT_EQ(says("bound-2-most.smt2"), "unsat");
  EXPECT_EQ(says("range-0.smt2"), "sat");
  EXPECT_THAT(ReadText(folder.path() + "/0-plan-overlap.smt2"),
              HasSubstr("; unsat: plan-overlap cannot happen, method for ward, instruction 3, "
                        "values 5 7\n"));
}

TEST(SmtFiles, HaveTheSameBytesEachTime) {
  const TempFolder first;
  const TempFolder second;
  Obligations obligations;
  obligations.symbols = {{"n", 1, 8, {}}};
  obligations.list = {PlacedGoal({{SizeExpr::Symbol(0), Relation::kLess, 9}}), PlacedGoal({})};
  for (const TempFolder* folder : {&first, &second}) {
    static_cast<void>(Decide(obligations, {.smt_dir = folder->path()}));
  }
  ASSERT_EQ(NamesIn(first.path()), NamesIn(second.path()));
  for (const std::string& name : NamesIn(first.path())) {
    EXPECT_EQ(ReadText(first.path() + "/" + name), ReadText(second.path() + "/" + name));
  }
}

}  // namespace
}  // namespace pteproof::proofs
