#include "runtime/kernels/functional_name.h"

#include <string>

namespace pteproof {

const OpSchema* FunctionalSchema(const OpSchema& schema) {
  if (!schema.in_place) return &schema;
  if (schema.name == "aten::zero_") return FindOperator("aten::fill.Scalar_out");
  const size_t dot = schema.name.find('.');
  const std::string_view mutating = schema.name.substr(0, dot);
  const std::string_view overload =
      dot == std::string_view::npos ? std::string_view() : schema.name.substr(dot + 1);
  if (!mutating.ends_with('_')) return nullptr;
  const std::string base = std::string(mutating.substr(0, mutating.size() - 1)) + ".";
  if (overload.empty()) return FindOperator(base + "out");
  const std::string own = std::string(overload) + "_out";
  const std::string plain = overload.ends_with("_mode") ? "out_mode" : "out";
  for (const std::string& name : {"Tensor_" + own, own, plain}) {
    const OpSchema* found = FindOperator(base + name);
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace pteproof
