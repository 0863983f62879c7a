// The inverse of a view: the operator that gives the base new contents when its view gets them.
#ifndef PTEPROOF_REFERENCE_GRAPH_PUT_BACK_H_
#define PTEPROOF_REFERENCE_GRAPH_PUT_BACK_H_

#include <optional>

#include "reference/graph/module.h"

namespace pteproof::graph {

// A call that makes the base's new contents from its old ones and those of the view: slice_scatter
// for slice_copy, the inverse permutation for permute_copy. Its result is still to be given.
// Without `op`: the view's contents are the base's (alias). Nothing: the view has no inverse, as
// the view's elements share bytes or the operator is none that is known here.
[[nodiscard]] std::optional<Node> PutBack(const Node& view, const TensorType& base_type,
                                          ValueId base, ValueId contents);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PUT_BACK_H_
