#include "reference/run/bind_dims.h"

#include <optional>

namespace pteproof {
namespace {

using graph::Method;

// The dim that a size is, by itself.
std::optional<size_t> DimOf(const SizeExpr& size) {
  const int32_t symbol = size.HighestSymbol();
  if (symbol < 0 || size != SizeExpr::Symbol(symbol)) return std::nullopt;
  return static_cast<size_t>(symbol);
}

std::string Fault(const Method& method, size_t input, const std::string& why) {
  return "input %" + method.inputs[input].name + " of '" + method.name + "' " + why;
}

// Reads the dims that are sizes by themselves.
std::string Read(const Method& method, std::span<const Datum> inputs, std::vector<int64_t>& dims) {
  for (size_t n = 0; n < inputs.size(); ++n) {
    const TensorType* type = TensorTypeOf(method, method.inputs[n].value);
    const auto* tensor = std::get_if<TensorValue>(&inputs[n]);
    if ((type == nullptr) != (tensor == nullptr)) return Fault(method, n, "is of another kind");
    if (type == nullptr) continue;
    if (type->dtype != tensor->dtype) return Fault(method, n, "is of another element type");
    if (type->rank() != tensor->sizes.size()) return Fault(method, n, "is of another rank");
    for (size_t d = 0; d < type->rank(); ++d) {
      const auto dim = DimOf(type->sizes[d]);
      if (!dim) continue;
      const graph::DimSymbol& symbol = method.dims[*dim];
      const int64_t size = tensor->sizes[d];
      if (size < symbol.lo || size > symbol.hi) {
        return Fault(method, n, "has a size out of the range of dim " + symbol.name);
      }
      dims[*dim] = size;
    }
  }
  return {};
}

}  // namespace

Result<std::vector<int64_t>, std::string> BindDims(const Method& method,
                                                   std::span<const Datum> inputs) {
  if (inputs.size() != method.inputs.size()) {
    return "'" + method.name + "' takes " + std::to_string(method.inputs.size()) + " inputs";
  }
  std::vector<int64_t> dims;
  for (const graph::DimSymbol& symbol : method.dims) dims.push_back(symbol.lo);
  if (std::string why = Read(method, inputs, dims); !why.empty()) return why;
  for (size_t n = 0; n < inputs.size(); ++n) {
    const TensorType* type = TensorTypeOf(method, method.inputs[n].value);
    if (type == nullptr) continue;
    const Sizes& sizes = std::get<TensorValue>(inputs[n]).sizes;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (type->sizes[d].At(dims) != sizes[d]) return Fault(method, n, "has another size");
    }
  }
  return dims;
}

}  // namespace pteproof
