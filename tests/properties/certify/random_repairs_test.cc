// Random plans, damaged and repaired: what is written is what the undamaged plan computes, and what
// is not written is refused with a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "planner/plan.h"
#include "planner/repair/repair.h"
#include "properties/certify/certify.h"
#include "properties/compare/random_calls.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/mutants/mutate_plan.h"
#include "properties/oracles/random_inputs.h"
#include "pteproof/check.h"
#include "reference/op_schema.h"
#include "tests/support/counts.h"

namespace pteproof::certify {
namespace {

using mutants::Damage;

// Damage that moves bytes and leaves alone what the program means.
constexpr Damage kDamages[] = {Damage::kMovePlace, Damage::kShiftLayout, Damage::kShrinkBank,
                               Damage::kMarkInPlace};

bool IsUnsafe(const Program& program) {
  const Report report = Check(program);
  return std::ranges::find(report.verdicts, Verdict::kUnsafe) != report.verdicts.end();
}

std::vector<Operator> OperatorsThatCopy() {
  std::vector<Operator> operators;
  for (const char* name : {"aten::copy_", "aten::clone.out"}) {
    operators.push_back({name, FindOperator(name)});
  }
  return operators;
}

// A policy of these; all programs have one that a certificate holds for.
Policy OneOf(PolicySet policies) {
  return *std::ranges::find_if(kAllPolicies, [&](Policy each) { return policies.Has(each); });
}

std::string DifferenceFrom(const Program& intact, const compare::ComparedSide& other,
                           PolicySet policies, uint64_t seed) {
  for (const Method& method : intact.methods) {
    const auto runs = compare::CompareRandomCalls(
        {&intact, nullptr, nullptr}, other,
        {.policy = OneOf(policies), .method = method.name, .seed = seed, .calls = 4});
    if (!runs.difference.empty()) return runs.difference;
  }
  return {};
}

// A damaged plan may mean something else: a value that moves leaves the concatenation that its old
// place made it a part of.
bool MeansTheSame(const Program& intact, const Program& damaged, PolicySet policies,
                  uint64_t seed) {
  const compare::ComparedSide meant = {&damaged, nullptr, nullptr, compare::ReadAs::kMeant};
  return DifferenceFrom(intact, meant, policies, seed).empty();
}

TEST(RandomRepairs, ComputeWhatTheIntactPlanComputes) {
  uint64_t unsafe = 0;
  uint64_t repaired_programs = 0;
  uint64_t other_meaning = 0;
  std::map<std::string, int> refused;
  const uint64_t cases = Cases(20, 400);
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(c.module, {});
    if (!planned.ok()) continue;
    const Program& intact = planned.value().program;
    if (std::ranges::max(Check(intact).verdicts) != Verdict::kSafe) continue;
    Random random(seed);
    const auto draw = [&](size_t n) { return static_cast<size_t>(Below(random, n)); };
    const auto damaged = mutants::MutatePlan(intact, kDamages[seed % std::size(kDamages)], draw);
    if (!damaged || !IsUnsafe(damaged->program)) continue;
    ++unsafe;
    const planner::Repaired after = planner::Repair(damaged->program, {}, OperatorsThatCopy());
    if (!after.failure.empty()) {
      ++refused[after.failure.substr(after.failure.find(':') + 1)];
      continue;
    }
    const Program& program = after.replanned.program;
    const Certificate certificate =
        Certify({&damaged->program, nullptr, nullptr}, {&program, nullptr, nullptr},
                {.repair = true, .calls = 4});
    if (certificate.open) {
      ++refused[certificate.failure];
      continue;
    }
    EXPECT_EQ(certificate.failure, "") << "seed " << seed << ": " << damaged->what;
    if (!certificate.holds()) continue;
    ++repaired_programs;
    if (!MeansTheSame(intact, damaged->program, certificate.policies, seed)) {
      ++other_meaning;
      continue;
    }
    EXPECT_EQ(DifferenceFrom(intact, {&program, nullptr, nullptr}, certificate.policies, seed), "")
        << "seed " << seed << ": " << damaged->what;
  }
  EXPECT_GE(unsafe, cases / 10);
  EXPECT_GE(repaired_programs, unsafe * 3 / 4);
  EXPECT_LE(other_meaning, repaired_programs / 20);
  RecordProperty("unsafe", std::to_string(unsafe));
  RecordProperty("repaired", std::to_string(repaired_programs));
  RecordProperty("other_meaning", std::to_string(other_meaning));
  for (const auto& [why, count] : refused) RecordProperty(why, std::to_string(count));
}

}  // namespace
}  // namespace pteproof::certify
