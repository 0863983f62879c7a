// A manifest whose program's values have other numbers now.
#ifndef PTEPROOF_PLANNER_REPLAN_NEW_NUMBERS_H_
#define PTEPROOF_PLANNER_REPLAN_NEW_NUMBERS_H_

#include <cstdint>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// `values_at`: per method and value, its number now; none, or none of a method: as it was.
[[nodiscard]] Manifest WithNewNumbers(Manifest manifest, const Program& program,
                                      const std::vector<std::vector<int32_t>>& values_at);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_NEW_NUMBERS_H_
