#include "runtime/kernels/base/functional_name.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

// Finds the operator whose name these parts make, put together in place: calls allocate nothing.
const OpSchema* FindByParts(std::initializer_list<std::string_view> parts) {
  std::array<char, 128> name;  // files have names of at most 99 characters
  size_t length = 0;
  for (const std::string_view part : parts) {
    if (part.size() > name.size() - length) return nullptr;
    std::ranges::copy(part, name.begin() + static_cast<std::ptrdiff_t>(length));
    length += part.size();
  }
  return FindOperator({name.data(), length});
}

}  // namespace

const OpSchema* FunctionalSchema(const OpSchema& schema) {
  if (!schema.in_place) return &schema;
  if (schema.name == "aten::zero_") return FindOperator("aten::fill.Scalar_out");
  const size_t dot = schema.name.find('.');
  const std::string_view mutating = schema.name.substr(0, dot);
  const std::string_view overload =
      dot == std::string_view::npos ? std::string_view() : schema.name.substr(dot + 1);
  if (!mutating.ends_with('_')) return nullptr;
  const std::string_view base = mutating.substr(0, mutating.size() - 1);
  if (overload.empty()) return FindByParts({base, ".out"});
  if (const auto* found = FindByParts({base, ".Tensor_", overload, "_out"})) return found;
  if (const auto* found = FindByParts({base, ".", overload, "_out"})) return found;
  return FindByParts({base, overload.ends_with("_mode") ? ".out_mode" : ".out"});
}

}  // namespace pteproof
