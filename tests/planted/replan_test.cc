// Defects planted into what plans programs anew: the certificate of some random program fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "planner/plan.h"
#include "planner/repair/repair.h"
#include "planner/replan/forms.h"
#include "properties/certify/certify.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/mutants/mutate_plan.h"
#include "properties/oracles/random_inputs.h"
#include "pteproof/check.h"
#include "reference/op_schema.h"
#include "planner/planted.h"

namespace pteproof {
namespace {

using planner::Defect;

// Whether nothing would be written, by a mistake that the certificate finds.
bool IsFound(const certify::Certificate& certificate) {
  return !certificate.open && !certificate.holds();
}

// For as long as it lives.
class Plant {
 public:
  explicit Plant(Defect defect) { PlantDefect(defect); }
  ~Plant() { PlantDefect(Defect::kNone); }
  Plant(const Plant&) = delete;
  Plant& operator=(const Plant&) = delete;
};

bool ReplanIsFound(Defect defect, const Program& program) {
  planner::Replanned after;
  {
    const Plant plant(defect);
    after = planner::MoveStoresAndPlaces(program, {.in_place = true});
  }
  return IsFound(certify::Certify({&program, nullptr, nullptr}, {&after.program, nullptr, nullptr},
                                  {.calls = 2, .now_at = after.now_at}));
}

bool RepairIsFound(Defect defect, const Program& program) {
  planner::Repaired after;
  const Operator copy = {"aten::copy_", FindOperator("aten::copy_")};
  {
    const Plant plant(defect);
    after = planner::Repair(program, {}, {&copy, 1});
  }
  if (!after.failure.empty()) return false;
  const Report report = Check(program);
  const auto certificate =
      certify::Certify({&program, nullptr, nullptr}, {&after.replanned.program, nullptr, nullptr},
                       {.old_report = &report, .repair = true, .calls = 2});
  // What is left unsafe is refused: found as well.
  return IsFound(certificate) || !certificate.left.empty();
}

// A random program, and a damaged one.
bool IsFoundInCase(Defect defect, uint64_t seed) {
  const auto c = generators::BuildCase(generators::DrawCase(seed));
  const auto planned = planner::Plan(c.module, {});
  if (!planned.ok()) return false;
  planner::PlanOptions late;
  late.passes.early_stores = false;
  const auto stored_late = planner::Plan(c.module, late);
  if (stored_late.ok() && ReplanIsFound(defect, stored_late.value().program)) return true;
  if (ReplanIsFound(defect, planned.value().program)) return true;
  Random random(seed);
  const auto draw = [&](size_t n) { return static_cast<size_t>(Below(random, n)); };
  const auto damage = seed % 2 == 0 ? mutants::Damage::kMovePlace : mutants::Damage::kShiftLayout;
  const auto damaged = mutants::MutatePlan(planned.value().program, damage, draw);
  return damaged && RepairIsFound(defect, damaged->program);
}

class ReplanDefect : public testing::TestWithParam<int> {};

TEST_P(ReplanDefect, IsFoundByACertificate) {
  constexpr uint64_t kMostCases = 3000;
  const auto defect = static_cast<Defect>(GetParam());
  uint64_t seed = 0;
  while (seed < kMostCases && !IsFoundInCase(defect, seed)) ++seed;
  EXPECT_LT(seed, kMostCases);
  RecordProperty("cases", std::to_string(seed + 1));
}

INSTANTIATE_TEST_SUITE_P(All, ReplanDefect,
                         testing::Range(static_cast<int>(Defect::kCount) + 1,
                                        static_cast<int>(Defect::kReplanCount)));

}  // namespace
}  // namespace pteproof
