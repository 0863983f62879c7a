// A name of which an unsafe plan does not tell whose bytes it stands for.
#ifndef PTEPROOF_PLANNER_REPAIR_DOUBTFUL_NAME_H_
#define PTEPROOF_PLANNER_REPAIR_DOUBTFUL_NAME_H_

#include <optional>
#include <string>

#include "planner/repair/state_places.h"

namespace pteproof::planner {

// The first one, in one sentence; nothing: there is none. O(n log n) in values, and the values of a
// bank for each slice.
[[nodiscard]] std::optional<std::string> DoubtfulNameIn(const MeantMethod& meant);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPAIR_DOUBTFUL_NAME_H_
