// Idea. The sizes of the inputs are equations in the dims. An equation with one unbound dim in
// which it is linear, e(n) = a*n + b, binds that dim; rounds repeat until none binds another. All
// equations are then checked, also those that bound nothing.
//
//   %x: float32[2*n + 1, m]   given [7, 4]
//       n = (7 - e(0)) / (e(1) - e(0)) = (7 - 1) / (3 - 1) = 3,  m = 4
//
// Invariant: a bound dim has the only value that its equation admits. Cost: O(dims x sizes of
// inputs).
#include "reference/run/bind_dims.h"

#include <optional>

#include "base/checked_math.h"

namespace pteproof {
namespace {

using graph::Method;
using Dims = std::vector<std::optional<int64_t>>;

std::string InputFault(const Method& method, size_t input, const std::string& why) {
  return "input %" + method.inputs[input].name + " of '" + method.name + "' " + why;
}

// What is wrong with an input's kind; empty: nothing.
std::string KindFault(const graph::ValueType& type, const Datum& datum) {
  const auto* tensor_type = std::get_if<TensorType>(&type);
  if (tensor_type == nullptr) {
    const bool integer = std::holds_alternative<int64_t>(datum);
    switch (std::get<graph::NumberType>(type)) {
      case graph::NumberType::kInt:
        return integer ? "" : "is not an integer";
      case graph::NumberType::kBool:
        return std::holds_alternative<bool>(datum) ? "" : "is not a bool";
      case graph::NumberType::kReal:
        return integer || std::holds_alternative<double>(datum) ? "" : "is not a number";
    }
  }
  const auto* tensor = std::get_if<TensorValue>(&datum);
  if (tensor == nullptr) return "is not a tensor";
  if (tensor_type->dtype != tensor->dtype) return "is of another element type";
  return tensor_type->rank() == tensor->sizes.size() ? "" : "is of another rank";
}

// The sizes that a size expression has to have.
struct Equation {
  const SizeExpr* size;
  int64_t is;
};

// The dims with those that are not bound yet at a trial value.
std::vector<int64_t> AtTrial(const Dims& dims, int64_t trial) {
  std::vector<int64_t> values;
  for (const auto& dim : dims) values.push_back(dim.value_or(trial));
  return values;
}

// Binds the one unbound dim of an equation that is linear in it, as sizes of inputs mostly are.
// Anything else may hold for several values of the dim.
bool Bind(const Equation& equation, Dims& dims) {
  std::optional<size_t> unbound;
  for (const int32_t symbol : equation.size->Symbols()) {
    if (dims[static_cast<size_t>(symbol)]) continue;
    if (unbound) return false;
    unbound = static_cast<size_t>(symbol);
  }
  if (!unbound || !equation.size->IsLinearIn(static_cast<int32_t>(*unbound))) return false;
  const int64_t at_0 = equation.size->At(AtTrial(dims, 0));
  const auto step = CheckedSub(equation.size->At(AtTrial(dims, 1)), at_0);
  const auto distance = CheckedSub(equation.is, at_0);
  if (!step || *step == 0 || !distance || *distance % *step != 0) return false;
  dims[*unbound] = *distance / *step;
  return true;
}

}  // namespace

Result<std::vector<int64_t>, std::string> BindDims(const Method& method,
                                                   std::span<const Datum> inputs) {
  if (inputs.size() != method.inputs.size()) {
    return "'" + method.name + "' takes " + std::to_string(method.inputs.size()) + " inputs";
  }
  std::vector<Equation> equations;
  for (size_t n = 0; n < inputs.size(); ++n) {
    const graph::ValueType& type = method.values[static_cast<size_t>(method.inputs[n].value)];
    if (std::string why = KindFault(type, inputs[n]); !why.empty())
      return InputFault(method, n, why);
    const auto* tensor = std::get_if<TensorType>(&type);
    for (size_t d = 0; tensor != nullptr && d < tensor->rank(); ++d) {
      equations.push_back({&tensor->sizes[d], std::get<TensorValue>(inputs[n]).sizes[d]});
    }
  }
  Dims bound(method.dims.size());
  for (bool more = true; more;) {
    more = false;
    for (const Equation& equation : equations) more = Bind(equation, bound) || more;
  }
  std::vector<int64_t> dims;
  for (size_t d = 0; d < bound.size(); ++d) {
    const graph::DimSymbol& symbol = method.dims[d];
    dims.push_back(bound[d].value_or(symbol.lo));
    if (dims.back() < symbol.lo || dims.back() > symbol.hi) {
      return "'" + method.name + "': dim " + symbol.name + " is " + std::to_string(dims.back()) +
             ", outside its range " + std::to_string(symbol.lo) + ".." + std::to_string(symbol.hi);
    }
  }
  for (size_t n = 0, e = 0; n < inputs.size(); ++n) {
    const auto* tensor = std::get_if<TensorValue>(&inputs[n]);
    for (size_t d = 0; tensor != nullptr && d < tensor->sizes.size(); ++d, ++e) {
      if (equations[e].size->At(dims) != equations[e].is) {
        return InputFault(method, n, "has another size");
      }
    }
  }
  return dims;
}

}  // namespace pteproof
