#include "planner/code/same_bytes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

constexpr std::array<std::string_view, 9> kKeepers = {
    "aten::alias_copy.out",
    "aten::clone.out",
    "aten::detach_copy.out",
    "aten::lift_fresh_copy.out",
    "aten::squeeze_copy.dim_out",
    "aten::squeeze_copy.dims_out",
    "aten::unsqueeze_copy.out",
    "aten::view_copy.out",
    "dim_order_ops::_clone_dim_order.out",
};

}  // namespace

std::optional<ValueId> BytesKept(const Code& code, const Step& step) {
  if (step.kind != StepKind::kCall || step.results.size() != 1 || step.operands.empty()) return {};
  // Of copy's self only the sizes matter.
  const bool copies = step.op == "aten::copy.out";
  if (!copies && std::ranges::find(kKeepers, step.op) == kKeepers.end()) return {};
  const auto base = graph::ValueOfOperand(step.operands[copies ? 1 : 0]);
  if (!base || code.values[static_cast<size_t>(*base)].carried) return {};
  const TensorType* from = TensorTypeOf(code, *base);
  const TensorType* to = TensorTypeOf(code, step.results.front());
  if (from == nullptr || to == nullptr || from->dtype != to->dtype) return {};
  if (copies && *from != *to) return {};
  return base;
}

}  // namespace pteproof::planner
