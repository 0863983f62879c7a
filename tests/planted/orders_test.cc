// Defects planted into plans for other orders of execution: the proof of some random plan for that
// order fails, and none does without a defect.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "planner/plan.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/proofs/prove.h"
#include "planner/planted.h"

namespace pteproof {
namespace {

using graph::InPlaceOrder;
using planner::Defect;

// Whether an instruction of the plan must not come at some time at which the order lets it come.
bool IsRefuted(const Program& program, proofs::Order order) {
  proofs::ObligeOptions options;
  options.order = order;
  const proofs::Proof proof = proofs::Prove(program, options);
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const bool refuted = proof.decisions[o].answer == proofs::Answer::kRefuted;
    if (refuted && proof.obligations.list[o].any_order) return true;
  }
  return false;
}

bool IsRefutedInCase(Defect defect, uint64_t seed) {
  const bool strict = defect == Defect::kSecondReader;
  const auto random = generators::BuildCase(generators::DrawCase(seed));
  Setting setting = SettingOf(seed);
  setting.options.order = strict ? InPlaceOrder::kStrict : InPlaceOrder::kAny;
  PlantDefect(defect);
  const auto planned = planner::Plan(random.module, setting.options);
  PlantDefect(Defect::kNone);
  return planned.ok() && IsRefuted(planned.value().program,
                                   strict ? proofs::Order::kStrict : proofs::Order::kAny);
}

class OrderDefect : public testing::TestWithParam<int> {};

TEST_P(OrderDefect, IsFoundByAProof) {
  constexpr uint64_t kMostCases = 3000;
  const auto defect = static_cast<Defect>(GetParam());
  uint64_t seed = 0;
  while (seed < kMostCases && !IsRefutedInCase(defect, seed)) ++seed;
  EXPECT_LT(seed, kMostCases);
  RecordProperty("cases", std::to_string(seed + 1));
  for (uint64_t sound = 0; sound <= std::min<uint64_t>(seed, 20); ++sound) {
    EXPECT_FALSE(IsRefutedInCase(Defect::kNone, sound)) << sound;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OrderDefect,
                         testing::Range(static_cast<int>(Defect::kReplanCount) + 1,
                                        static_cast<int>(Defect::kOrderCount)));

}  // namespace
}  // namespace pteproof
