// Elided concatenations that a reader of the file would take for something else.
#ifndef PTEPROOF_PLANNER_EMIT_AMBIGUOUS_H_
#define PTEPROOF_PLANNER_EMIT_AMBIGUOUS_H_

#include <span>
#include <vector>

#include "planner/emit/emit.h"

namespace pteproof::planner {

// A concatenation that nothing writes is told by what tiles it. Where a value of another storage
// has its very place, a reader takes it for a view of that one. `places` by storage. O(n log n).
[[nodiscard]] std::vector<ValueId> AmbiguousConcats(const Code& code, const Sharing& sharing,
                                                    std::span<const Place> places);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_EMIT_AMBIGUOUS_H_
