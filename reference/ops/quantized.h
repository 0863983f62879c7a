// What the quantised operators have in common: element types given as operands, integers of few
// bits with a scale and a zero point.
#ifndef PTEPROOF_REFERENCE_OPS_QUANTIZED_H_
#define PTEPROOF_REFERENCE_OPS_QUANTIZED_H_

#include <cstdint>
#include <optional>
#include <string>

#include "reference/ops/type_rules.h"

namespace pteproof {

// The quantised kernels compute in float32, whatever the scale was given in. Sums, products and
// quotients of two float32 numbers may be taken in double before: that rounds no differently.
[[nodiscard]] inline double Float32(double value) {
  return static_cast<float>(value);
}

// The element type that operand i names: `otherwise` for None, nothing when it names none.
[[nodiscard]] std::optional<ScalarType> DtypeOperand(const TypeCall& call, size_t i,
                                                     ScalarType otherwise);

// The integers from lo to hi, as clamped to when quantising.
struct QuantRange {
  int64_t lo = 0;
  int64_t hi = 0;
};

// All values of an element type that quantised numbers are stored in; nothing for others.
[[nodiscard]] std::optional<QuantRange> RangeOf(ScalarType dtype);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_QUANTIZED_H_
