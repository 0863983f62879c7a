// Which of a method's unplanned outputs may lie on the memory of its unplanned inputs. Planned ones
// are the plan's business.
#ifndef PTEPROOF_PROPERTIES_RULES_OVERLAYS_H_
#define PTEPROOF_PROPERTIES_RULES_OVERLAYS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/report.h"

namespace pteproof::checks {

// For straight-line code; all of them hold together: each input is given to one output. O(n log n).
[[nodiscard]] std::vector<IoOverlay> OverlaysOf(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_OVERLAYS_H_
