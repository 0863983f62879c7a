// Damaged plans of random Modules: check, proof, tagged run and differential run agree on each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "properties/agreement/judge_mutant.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

const uint64_t kMutants = Cases(500, 1500);

using mutants::Damage;

TEST(Mutants, AreJudgedAlikeByFourCheckers) {
  RecordProperty("slow", "draws many random cases");
  std::map<Damage, int> unsafe;
  std::map<Damage, int> all;
  int shown_by_runs = 0;
  for (uint64_t seed = 0; seed < kMutants; ++seed) {
    const auto mutant = JudgeMutant(seed, true);
    if (!mutant) continue;
    const CheckersVerdict& checkers = mutant->checkers;
    EXPECT_EQ(checkers.disagreement, "") << "seed " << seed << ", " << mutant->what;
    ++all[mutant->damage];
    const Verdict verdict = checkers.check.verdicts[static_cast<size_t>(mutant->policy)];
    if (verdict == Verdict::kUnsafe) ++unsafe[mutant->damage];
    if (checkers.runs.disagreement.has_value()) ++shown_by_runs;
  }
  // Every kind of damage is drawn, and nearly all do harm now and then; other orders of
  // instructions or of outputs seldom do.
  EXPECT_EQ(all.size(), static_cast<size_t>(mutants::kDamageCount));
  EXPECT_GE(unsafe.size(), static_cast<size_t>(mutants::kDamageCount) - 2);
  EXPECT_GT(shown_by_runs, static_cast<int>(kMutants) / 12);  // of 10,000, a ninth
}

}  // namespace
}  // namespace pteproof
