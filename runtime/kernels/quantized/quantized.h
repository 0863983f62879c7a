// Quantising and dequantising single numbers. A last bit decides the integers: the arithmetic is
// float32's, step by step.
#ifndef PTEPROOF_RUNTIME_KERNELS_QUANTIZED_QUANTIZED_H_
#define PTEPROOF_RUNTIME_KERNELS_QUANTIZED_QUANTIZED_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "pteproof/scalar_type.h"

namespace pteproof::kernels {

struct QuantRange {
  int64_t lo = 0;
  int64_t hi = 0;
};

// All values of an element type that quantised numbers are stored in.
[[nodiscard]] inline std::optional<QuantRange> RangeOfType(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::kUInt8:
      return QuantRange{0, UINT8_MAX};
    case ScalarType::kInt8:
      return QuantRange{INT8_MIN, INT8_MAX};
    case ScalarType::kUInt16:
    case ScalarType::kBits16:
      return QuantRange{0, UINT16_MAX};
    case ScalarType::kInt16:
      return QuantRange{INT16_MIN, INT16_MAX};
    case ScalarType::kInt32:
      return QuantRange{INT32_MIN, INT32_MAX};
    default:
      return std::nullopt;
  }
}

struct QuantScale {
  float scale = 1;
  float zero_point = 0;
};

// The nearest whole number, halves to even.
[[nodiscard]] inline float RoundedToWhole(float x) {
  constexpr float kShift =
      12582912.0F;  // 1.5 * 2^23: added to a small number it leaves a whole one
  if (!(std::abs(x) < 0x1p22F)) return std::nearbyint(x);
  return (x + kShift) - kShift;
}

// Nearest integer, halves to even, within the range. NaN becomes 0.
[[nodiscard]] inline int64_t Quantised(float value, const QuantScale& by, const QuantRange& range) {
  const float scaled = RoundedToWhole(1 / by.scale * value);
  const float moved = by.zero_point + scaled;
  if (std::isnan(moved)) return 0;
  const double low = std::max(static_cast<double>(moved), static_cast<double>(range.lo));
  return static_cast<int64_t>(std::min(low, static_cast<double>(range.hi)));
}

[[nodiscard]] inline float Dequantised(int64_t code, const QuantScale& by) {
  const double moved = static_cast<double>(code) - static_cast<double>(by.zero_point);
  return static_cast<float>(moved) * by.scale;
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_QUANTIZED_QUANTIZED_H_
