// The mistakes of planners: the mutants that the tests of the agreement draw.
#include <array>
#include <utility>

#include "fuzz/mutate/plan/change.h"
#include "properties/mutants/mutate_plan.h"

namespace pteproof::fuzz::plan {
namespace {

template <mutants::Damage kDamage>
bool MakeDamage(Program& program, Random& random) {
  auto mutation = mutants::MutatePlan(program, kDamage, [&](size_t n) { return random.Below(n); });
  if (!mutation) return false;
  program = std::move(mutation->program);
  return true;
}

constexpr std::array kPlannerDamages = {
    Change{"damage-move-place", MakeDamage<mutants::Damage::kMovePlace>},
    Change{"damage-move-value", MakeDamage<mutants::Damage::kMoveValue>},
    Change{"damage-shift-layout", MakeDamage<mutants::Damage::kShiftLayout>},
    Change{"damage-shrink-bank", MakeDamage<mutants::Damage::kShrinkBank>},
    Change{"damage-mark-in-place", MakeDamage<mutants::Damage::kMarkInPlace>},
    Change{"damage-swap-order", MakeDamage<mutants::Damage::kSwapOrder>},
    Change{"damage-lose-store", MakeDamage<mutants::Damage::kLoseStore>},
    Change{"damage-swap-outputs", MakeDamage<mutants::Damage::kSwapOutputs>},
    Change{"damage-move-bank", MakeDamage<mutants::Damage::kMoveBank>},
    Change{"damage-lose-place", MakeDamage<mutants::Damage::kLosePlace>},
};
static_assert(kPlannerDamages.size() == mutants::kDamageCount);

}  // namespace

std::span<const Change> PlannerDamages() {
  return kPlannerDamages;
}

}  // namespace pteproof::fuzz::plan
