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

// The first element by that part of itself, the next one by as much the other way.
void Shake(TensorValue& tensor, double part) {
  for (int64_t i = 0; i < ElementCount(tensor); ++i) {
    SetReal(tensor, i, RealAt(tensor, i) * (1 + part));
    part = -part;
  }
}

void ShakeByBound(TensorValue& tensor) {
  if (!IsFloat(tensor.dtype)) return;
  Shake(tensor, std::max(ToleranceOf(tensor.dtype).rtol / 25, PrecisionOf(tensor.dtype)));
}

}  // namespace

generators::RandomCase Shaken(generators::RandomCase c) {
  for (generators::RandomCall& call : c.calls) {
    for (Datum& input : call.inputs) {
      if (auto* tensor = std::get_if<TensorValue>(&input)) ShakeByBound(*tensor);
    }
  }
  for (graph::Buffer& buffer : c.module.buffers) {
    if (buffer.initial) ShakeByBound(*buffer.initial);
    buffer.data.reset();
  }
  return c;
}

Change RoundedOnceMore() {
  return [made = 0](TensorValue& tensor) mutable {
    if (!IsFloat(tensor.dtype)) return;
    constexpr int kParts = 7;
    const double part = PrecisionOf(tensor.dtype) * (1 + made % kParts) / 2;
    Shake(tensor, made % 2 == 0 ? part : -part);
    ++made;
  };
}

}  // namespace pteproof
