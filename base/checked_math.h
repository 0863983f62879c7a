// The one place where sizes that a file claims are added and multiplied: every step says whether it
// fits.
#ifndef PTEPROOF_BASE_CHECKED_MATH_H_
#define PTEPROOF_BASE_CHECKED_MATH_H_

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>

namespace pteproof {

// a + b, or nothing when it does not fit T.
template <std::integral T>
[[nodiscard]] constexpr std::optional<T> CheckedAdd(T a, T b) {
  T sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

// a - b, or nothing when it does not fit T.
template <std::integral T>
[[nodiscard]] constexpr std::optional<T> CheckedSub(T a, T b) {
  T difference;
  if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
  return difference;
}

// a * b, or nothing when it does not fit T.
template <std::integral T>
[[nodiscard]] constexpr std::optional<T> CheckedMul(T a, T b) {
  T product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Without its fraction. A number beyond the range is the nearest that is in it, one that is not a
// number is 0.
[[nodiscard]] constexpr int64_t TruncatedInt(double real) {
  if (real >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (real < -0x1p63) return std::numeric_limits<int64_t>::min();
  return real == real ? static_cast<int64_t>(real) : 0;
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_CHECKED_MATH_H_
