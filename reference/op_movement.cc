#include "reference/op_movement.h"

#include <algorithm>
#include <array>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

// Sorted. Together with the runtime's own operators on numbers and sizes, which return a number.
constexpr std::array kMovements = {
    std::string_view("aten::alias_copy.out"),
    std::string_view("aten::cat.out"),
    std::string_view("aten::clone.out"),
    std::string_view("aten::copy.out"),
    std::string_view("aten::copy_"),
    std::string_view("aten::detach_copy.out"),
    std::string_view("aten::expand_copy.out"),
    std::string_view("aten::lift_fresh_copy.out"),
    std::string_view("aten::permute_copy.out"),
    std::string_view("aten::select_copy.int_out"),
    std::string_view("aten::select_scatter.out"),
    std::string_view("aten::slice_copy.Tensor_out"),
    std::string_view("aten::slice_scatter.out"),
    std::string_view("aten::split_copy.Tensor_out"),
    std::string_view("aten::split_with_sizes_copy.out"),
    std::string_view("aten::squeeze_copy.dim_out"),
    std::string_view("aten::squeeze_copy.dims_out"),
    std::string_view("aten::stack.out"),
    std::string_view("aten::t_copy.out"),
    std::string_view("aten::transpose_copy.int_out"),
    std::string_view("aten::unbind_copy.int_out"),
    std::string_view("aten::unsqueeze_copy.out"),
    std::string_view("aten::view_copy.out"),
    std::string_view("aten::zeros.out"),
    std::string_view("dim_order_ops::_clone_dim_order.out"),
    std::string_view("et_copy::_d2h_copy.out"),
    std::string_view("et_copy::_h2d_copy.out"),
    std::string_view("executorch_prim::et_copy_index.tensor"),
    std::string_view("executorch_prim::et_view.default"),
    std::string_view("llama::update_cache.out"),
};
static_assert(std::ranges::is_sorted(kMovements));

}  // namespace

bool KeepsMeaning(const OpSchema& schema) {
  return schema.returns == ReturnSlot::kScalar ||
         std::ranges::binary_search(kMovements, schema.name);
}

bool KeepsMeaning(const OpSchema& schema, ScalarType operand, ScalarType result) {
  const bool converts =
      schema.name == "aten::_to_copy.out" || schema.name == "dim_order_ops::_to_dim_order_copy.out";
  return KeepsMeaning(schema) || (converts && operand == result);
}

}  // namespace pteproof
