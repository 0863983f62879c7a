// Damaged plans of random Modules under random protocols: check, proof and runs agree on each.
#include "tests/support/counts.h"
#include "tests/support/protocols.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "planner/plan.h"
#include "properties/agreement/judge_all_checkers.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/manifest/of_plan.h"
#include "properties/mutants/mutate_plan.h"
#include "properties/oracles/diff_program.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"

namespace pteproof {
namespace {

const uint64_t kPlans = Cases(200, 600);

struct Judged {
  int programs = 0;
  int bettered = 0;  // by their protocols
};

// Judges a program under a random protocol; `sizes` states which sizes inputs may have.
void Judge(const Program& program, const Manifest& sizes, uint64_t seed, Judged& judged) {
  std::vector<std::string> names;
  for (const Method& method : program.methods) names.push_back(method.name);
  std::mt19937_64 random(seed);
  Manifest manifest = StatingCalls(RandomProtocol(random, names, 3));
  if (random() % 3 == 0) manifest.all_first = true;
  const std::string where = fmt::format("seed {}, calls {}", seed, manifest.calls->text);
  const Report report = Check(program, {&manifest});
  const proofs::Proof proof = proofs::Prove(program, {.manifest = &manifest}, {.fast = true});
  EXPECT_EQ(report.verdicts, proof.verdicts) << where;
  ++judged.programs;
  const Manifest silent;
  const Report any = Check(program, {&silent, manifest.all_first.value_or(false)});
  judged.bettered += report.verdicts != any.verdicts ? 1 : 0;
  Manifest of_runs = sizes;
  of_runs.calls = manifest.calls;
  const Policy policy = SettingOf(seed).options.policy;
  const DiffReport runs =
      DiffProgram(program, {.policy = policy, .seed = seed, .sequences = 6, .manifest = &of_runs});
  EXPECT_EQ(LossInSafe(report, runs, policy), "") << where;
}

// The plan of a random Module, every other one damaged.
void JudgePlan(uint64_t seed, Judged& judged) {
  const auto random = generators::BuildCase(generators::DrawCase(seed));
  const auto planned = planner::Plan(random.module, SettingOf(seed).options);
  if (!planned.ok() || planned.value().program.methods.size() < 2) return;
  const Program& program = planned.value().program;
  const auto sizes = ManifestOfPlan(random.module, SettingOf(seed).options, program);
  if (!sizes.ok()) return;
  if (seed % 2 == 0) return Judge(program, sizes.value(), seed, judged);
  std::mt19937_64 numbers(seed);
  const auto draw = [&](size_t n) { return static_cast<size_t>(numbers() % n); };
  const auto damage = static_cast<mutants::Damage>(seed / 2 % mutants::kDamageCount);
  const auto mutation = mutants::MutatePlan(program, damage, draw);
  if (mutation) Judge(mutation->program, sizes.value(), seed, judged);
}

TEST(Protocols, AreFollowedByAllCheckersAlike) {
  Judged judged;
  for (uint64_t seed = 0; seed < kPlans; ++seed) JudgePlan(seed, judged);
  EXPECT_GT(judged.programs, static_cast<int>(kPlans) / 4);
  EXPECT_GT(judged.bettered, 10);
}

}  // namespace
}  // namespace pteproof
