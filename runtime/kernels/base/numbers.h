// Arithmetic of elements that C++ leaves open or does otherwise.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_NUMBERS_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_NUMBERS_H_

#include <cmath>
#include <concepts>
#include <cstdint>

namespace pteproof::kernels {

// Numbers that have an order.
template <class T>
concept Ordered = std::integral<T> || std::floating_point<T>;

// Modulo 2^64, which is exact modulo any smaller size.
[[nodiscard]] inline int64_t WrappedSum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
[[nodiscard]] inline int64_t WrappedDifference(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
[[nodiscard]] inline int64_t WrappedProduct(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// NaN where either is.
template <Ordered T>
[[nodiscard]] T LargerOrNan(T a, T b) {
  return a != a || a > b ? a : b;  // NOLINT: NaN differs from itself
}
template <Ordered T>
[[nodiscard]] T SmallerOrNan(T a, T b) {
  return a != a || a < b ? a : b;  // NOLINT
}

// Towards zero. The divisor is not 0.
[[nodiscard]] inline int64_t TruncatedDivision(int64_t a, int64_t b) {
  return b == -1 ? WrappedDifference(0, a) : a / b;
}
// Has the dividend's sign; of a division by 0 the dividend.
[[nodiscard]] inline int64_t TruncatedRest(int64_t a, int64_t b) {
  if (b == 0) return a;
  return b == -1 ? 0 : a % b;
}
template <std::floating_point T>
[[nodiscard]] T TruncatedRest(T a, T b) {
  return std::fmod(a, b);
}

// Has the divisor's sign.
template <Ordered T>
[[nodiscard]] T FlooredRest(T a, T b) {
  const T rest = TruncatedRest(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// Downwards. An integer divisor is not 0.
[[nodiscard]] inline int64_t FlooredDivision(int64_t a, int64_t b) {
  const int64_t rest = TruncatedRest(a, b);
  return TruncatedDivision(a, b) - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
}
// By way of the exact rest: a / b may have been rounded up to a whole number.
template <std::floating_point T>
[[nodiscard]] T FlooredDivision(T a, T b) {
  if (b == 0) return a / b;
  const T rest = std::fmod(a, b);
  const T quotient = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
  return quotient == 0 ? std::copysign(T(0), a / b) : std::nearbyint(quotient);
}

// By squaring. Of a negative exponent the whole part: 0 but for 1 and -1.
[[nodiscard]] inline int64_t PowerOf(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base != -1) return 0;
    return exponent % 2 == 0 ? 1 : -1;
  }
  int64_t power = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power = WrappedProduct(power, base);
    base = WrappedProduct(base, base);
  }
  return power;
}
template <std::floating_point T>
[[nodiscard]] T PowerOf(T base, T exponent) {
  return std::pow(base, exponent);
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_NUMBERS_H_
