// The plan of a random Module, and the same plan damaged: what checkers are asked about.
#ifndef PTEPROOF_PROPERTIES_AGREEMENT_DRAWN_PLAN_H_
#define PTEPROOF_PROPERTIES_AGREEMENT_DRAWN_PLAN_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "planner/plan.h"
#include "properties/generators/build_module.h"
#include "properties/mutants/mutate_plan.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

struct DrawnPlan {
  std::shared_ptr<const generators::RandomCase> random;  // the program points into its Module
  planner::Planned planned;
  std::optional<Manifest> manifest;  // of the Module; none if no manifest can say it
  Policy policy = Policy::kShareAll;
};

// The seed draws the Module and the planner's settings. Nothing if there is no plan.
[[nodiscard]] std::optional<DrawnPlan> DrawPlan(uint64_t seed);

// The seed draws the kind of damage and its place. Nothing if nothing can be damaged.
[[nodiscard]] std::optional<mutants::Mutation> DrawDamage(const Program& program, uint64_t seed);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_AGREEMENT_DRAWN_PLAN_H_
