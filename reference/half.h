// The 16-bit floats, converted as the standard says: round to nearest, ties to even.
#ifndef PTEPROOF_REFERENCE_HALF_H_
#define PTEPROOF_REFERENCE_HALF_H_

#include <cstdint>

namespace pteproof {

// IEEE binary16: 1 sign bit, 5 of exponent, 10 of fraction.
[[nodiscard]] double HalfToDouble(uint16_t bits);
[[nodiscard]] uint16_t HalfFromDouble(double value);

// The upper half of an IEEE binary32.
[[nodiscard]] double BFloat16ToDouble(uint16_t bits);
[[nodiscard]] uint16_t BFloat16FromDouble(double value);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_HALF_H_
