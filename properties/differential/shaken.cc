#include "properties/differential/shaken.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "properties/oracles/compare.h"
#include "reference/tensor_value.h"

namespace pteproof {
namespace {

double PrecisionOf(ScalarType type) {
  switch (type) {
    case ScalarType::kFloat16:
      return std::ldexp(1, -10);
    case ScalarType::kBFloat16:
      return std::ldexp(1, -7);
    default:
      return std::ldexp(1, -23);
  }
}

void Shake(TensorValue& tensor) {
  if (!IsFloat(tensor.dtype)) return;
  double part = std::max(ToleranceOf(tensor.dtype).rtol / 25, PrecisionOf(tensor.dtype));
  for (int64_t i = 0; i < ElementCount(tensor); ++i) {
    SetReal(tensor, i, RealAt(tensor, i) * (1 + part));
    part = -part;
  }
}

}  // namespace

generators::RandomCase Shaken(generators::RandomCase c) {
  for (generators::RandomCall& call : c.calls) {
    for (Datum& input : call.inputs) {
      if (auto* tensor = std::get_if<TensorValue>(&input)) Shake(*tensor);
    }
  }
  for (graph::Buffer& buffer : c.module.buffers) {
    if (buffer.initial) Shake(*buffer.initial);
  }
  return c;
}

}  // namespace pteproof
