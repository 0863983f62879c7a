#include "reference/kept_operand.h"

#include <algorithm>
#include <array>

namespace pteproof {
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

std::optional<size_t> KeptOperand(std::string_view op) {
  if (op == "aten::copy.out") return 1;
  return std::ranges::find(kKeepers, op) == kKeepers.end() ? std::nullopt
                                                           : std::optional<size_t>(0);
}

}  // namespace pteproof
