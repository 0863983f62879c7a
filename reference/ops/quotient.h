// Division that rounds down, of integers and of floats: what tensors and a program's counters
// share.
#ifndef PTEPROOF_REFERENCE_OPS_QUOTIENT_H_
#define PTEPROOF_REFERENCE_OPS_QUOTIENT_H_

#include <cmath>
#include <cstdint>

namespace pteproof {

// Whether a remainder that has the dividend's sign must be moved to the divisor's.
template <class T>
[[nodiscard]] bool IsOfOtherSign(T remainder, T divisor) {
  return remainder != 0 && (remainder < 0) != (divisor < 0);
}

// Towards zero; the least number by -1 wraps. b is not 0.
[[nodiscard]] inline int64_t TruncatedQuotient(int64_t a, int64_t b) {
  return b == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(a)) : a / b;
}

// Has the dividend's sign. b is not 0.
[[nodiscard]] inline int64_t TruncatedRemainder(int64_t a, int64_t b) {
  return b == -1 ? 0 : a % b;
}

[[nodiscard]] inline int64_t FlooredQuotient(int64_t a, int64_t b) {
  return TruncatedQuotient(a, b) - (IsOfOtherSign(TruncatedRemainder(a, b), b) ? 1 : 0);
}

// By way of the exact remainder: a / b may have been rounded up to an integer.
[[nodiscard]] inline double FlooredQuotient(double a, double b) {
  if (b == 0) return a / b;
  const double remainder = std::fmod(a, b);
  const double quotient = (a - remainder) / b - (IsOfOtherSign(remainder, b) ? 1 : 0);
  return quotient == 0 ? std::copysign(0.0, a / b) : std::nearbyint(quotient);
}

// Has the divisor's sign. An integer b is not 0.
[[nodiscard]] inline int64_t FlooredRemainder(int64_t a, int64_t b) {
  const int64_t remainder = TruncatedRemainder(a, b);
  return IsOfOtherSign(remainder, b) ? remainder + b : remainder;
}
[[nodiscard]] inline double FlooredRemainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  return IsOfOtherSign(remainder, b) ? remainder + b : remainder;
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_QUOTIENT_H_
