// Wishes of a method (`in_place`) that its plan does not follow.
#ifndef PTEPROOF_PLANNER_UNMET_WISHES_H_
#define PTEPROOF_PLANNER_UNMET_WISHES_H_

#include <string>
#include <vector>

#include "planner/passes/sharing.h"
#include "reference/graph/module.h"

namespace pteproof::planner {

// One sentence for each, with the reason, in order of the listing. O(nodes + operands).
[[nodiscard]] std::vector<std::string> UnmetWishes(const graph::Method& method, const Code& code,
                                                   const Sharing& sharing);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_UNMET_WISHES_H_
