// Damaged plans of random Modules: check, proof, tagged run and differential run agree on each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <set>

#include "planner/plan.h"
#include "properties/agreement/judge_all_ways.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/manifest/of_plan.h"
#include "properties/mutants/mutate_plan.h"

namespace pteproof {
namespace {

constexpr uint64_t kMutants = PTEPROOF_SANITIZED ? 500 : 1500;

using mutants::Damage;

std::optional<mutants::Mutation> Mutate(const Program& program, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto draw = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (int attempt = 0; attempt < 2 * mutants::kDamageCount; ++attempt) {
    const auto damage =
        static_cast<Damage>((seed + static_cast<uint64_t>(attempt)) % mutants::kDamageCount);
    if (auto mutation = mutants::MutatePlan(program, damage, draw)) return mutation;
  }
  return std::nullopt;
}

TEST(Mutants, AreJudgedAlikeInFourWays) {
  std::map<Damage, int> unsafe;
  std::map<Damage, int> all;
  int shown_by_runs = 0;
  for (uint64_t seed = 0; seed < kMutants; ++seed) {
    const auto random = generators::BuildCase(generators::DrawCase(seed));
    const Setting setting = SettingOf(seed);
    const auto planned = planner::Plan(random.module, setting.options);
    if (!planned.ok()) continue;
    const auto mutation = Mutate(planned.value().program, seed);
    if (!mutation.has_value()) continue;
    const auto manifest = ManifestOfPlan(random.module, setting.options, planned.value().program);
    WaysOptions options;
    options.manifest = manifest.ok() ? &manifest.value() : nullptr;
    options.policy = setting.options.policy;
    options.seed = seed;
    const WaysVerdict ways = JudgeAllWays(mutation->program, options);
    EXPECT_EQ(ways.disagreement, "") << "seed " << seed << ", " << mutation->what;
    ++all[mutation->damage];
    const Verdict verdict = ways.check.verdicts[static_cast<size_t>(options.policy)];
    if (verdict == Verdict::kUnsafe) ++unsafe[mutation->damage];
    if (ways.runs.disagreement.has_value()) ++shown_by_runs;
  }
  // Every kind of damage is drawn, and nearly all do harm now and then; other orders of
  // instructions or of outputs seldom do.
  EXPECT_EQ(all.size(), static_cast<size_t>(mutants::kDamageCount));
  EXPECT_GE(unsafe.size(), static_cast<size_t>(mutants::kDamageCount) - 2);
  EXPECT_GT(shown_by_runs, static_cast<int>(kMutants) / 10);
}

}  // namespace
}  // namespace pteproof
