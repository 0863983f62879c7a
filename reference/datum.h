// A value that a caller passes in or gets back: nothing, a number, a text or a tensor.
#ifndef PTEPROOF_REFERENCE_DATUM_H_
#define PTEPROOF_REFERENCE_DATUM_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "reference/tensor_value.h"

namespace pteproof {

using Datum = std::variant<std::monostate, int64_t, bool, double, std::string, TensorValue>;

// Bit for bit, so that NaN equals itself.
[[nodiscard]] inline bool SameData(const Datum& a, const Datum& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  if (x == nullptr || y == nullptr) return a == b;
  return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(*y);
}
[[nodiscard]] inline bool SameData(std::span<const Datum> a, std::span<const Datum> b) {
  return std::ranges::equal(a, b, [](const Datum& x, const Datum& y) { return SameData(x, y); });
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_DATUM_H_
