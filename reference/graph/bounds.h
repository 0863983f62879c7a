// How large a method's tensors may become: sizes over the ranges of its dims, and, for comparison,
// at the values that the model was exported with.
#ifndef PTEPROOF_REFERENCE_GRAPH_BOUNDS_H_
#define PTEPROOF_REFERENCE_GRAPH_BOUNDS_H_

#include <vector>

#include "reference/graph/module.h"

namespace pteproof::graph {

// By dim.
[[nodiscard]] std::vector<SizeRange> RangesOf(const Method& method);
// By dim: the hint, else the largest value.
[[nodiscard]] std::vector<int64_t> HintsOf(const Method& method);

// No call makes a tensor of this type larger in any dimension. What a planner reserves.
[[nodiscard]] Sizes UpperBoundOf(const TensorType& type, const Method& method);
// The sizes at the hints: what a planner reserves that takes the example for the bound.
[[nodiscard]] Sizes SizesAtHints(const TensorType& type, const Method& method);

// The size without minima and maxima that the ranges of the dims decide: max(0, n) is n.
[[nodiscard]] SizeExpr Decided(const SizeExpr& size, const std::vector<SizeRange>& ranges);
// Whether both are one type in every call, as far as Decided tells.
[[nodiscard]] bool SameType(const ValueType& a, const ValueType& b, const Method& method);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_BOUNDS_H_
