// Whether values that callers pass in or get back are the same.
#ifndef PTEPROOF_REFERENCE_DATUM_H_
#define PTEPROOF_REFERENCE_DATUM_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <variant>

#include "pteproof/datum.h"
#include "reference/tensor_value.h"

namespace pteproof {

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
