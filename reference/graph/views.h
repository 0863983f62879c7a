// Which operators can be views.
#ifndef PTEPROOF_REFERENCE_GRAPH_VIEWS_H_
#define PTEPROOF_REFERENCE_GRAPH_VIEWS_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace pteproof::graph {

// Whether the operator's result holds elements of operand 0 and no others, each as it is: the
// operators that a `view` node may have.
[[nodiscard]] inline bool CanBeView(std::string_view op) {
  constexpr auto kOps = std::to_array<std::string_view>(
      {"aten::alias_copy.out", "aten::expand_copy.out", "aten::permute_copy.out",
       "aten::select_copy.int_out", "aten::slice_copy.Tensor_out", "aten::squeeze_copy.dim_out",
       "aten::squeeze_copy.dims_out", "aten::t_copy.out", "aten::transpose_copy.int_out",
       "aten::unsqueeze_copy.out", "aten::view_copy.out"});
  return std::ranges::find(kOps, op) != kOps.end();
}

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_VIEWS_H_
