// Whether every update in place of a Module is right: `in_place` annotations (in_place.h), and
// operators that write their operand (`aten::add_.Tensor`). The one question beyond the conditions
// C0 to C2 is whether the operator itself can work in place.
#ifndef PTEPROOF_REFERENCE_GRAPH_LINT_H_
#define PTEPROOF_REFERENCE_GRAPH_LINT_H_

#include <string>
#include <vector>

#include "reference/graph/in_place.h"

namespace pteproof::graph {

// All violations, by methods, then by nodes in order of the listing. The Module must be
// well-formed.
//
// An operator can work in the bytes of an operand if it is not in the table (its author says so),
// or if the table marks that operand as elementwise, as it also marks one of which a part is
// written and the rest stays (`self` of aten::index_put.out).
//
// A node that writes its operand means what the listing says: readers before it see the old value,
// readers after it see the new one. So under kListed nothing is asked of it. Under kAny each reader
// of the bytes must be bound to one side by data or `after`; under kStrict there is no other
// reader.
[[nodiscard]] std::vector<InPlaceFinding> Lint(const Module& module, InPlaceOrder order);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_LINT_H_
