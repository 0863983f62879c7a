// What one method's plan does to its bytes: bounds, alignment, overlaps, aliases, in-place updates.
#ifndef PTEPROOF_PROPERTIES_CHECKS_CHECK_PLAN_H_
#define PTEPROOF_PROPERTIES_CHECKS_CHECK_PLAN_H_

#include <cstddef>
#include <span>
#include <vector>

#include "properties/checks/clobbers.h"
#include "properties/vocabulary.h"
#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof::checks {

// All findings of one method (number `index` of the program) that its placements decide.
[[nodiscard]] std::vector<Finding> CheckPlan(const MethodMeaning& meant, const Walk& walk,
                                             const StateTable& states, size_t index);

// plan-bounds and plan-alignment: each placement lies in its bank, at a multiple of its element
// size.
[[nodiscard]] std::vector<Finding> CheckPlacements(const MethodMeaning& meant);

// Bank use with phantom-slot and plan-waste, and overlays of unplanned inputs and outputs. `walks`
// by method.
void Measure(std::span<const MethodMeaning> methods, std::span<const Walk> walks, Report& report);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_CHECK_PLAN_H_
