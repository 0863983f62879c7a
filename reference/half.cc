#include "reference/half.h"

#include <bit>
#include <cmath>

namespace pteproof {
namespace {

struct Format {
  int fraction_bits;
  int largest_exponent;  // unbiased
};

constexpr Format kHalf = {10, 15};
constexpr Format kBFloat16 = {7, 127};

double Decode(uint16_t bits, Format format) {
  const double sign = (bits >> 15) != 0 ? -1.0 : 1.0;
  const int exponent_mask = 2 * format.largest_exponent + 1;
  const int exponent = (bits >> format.fraction_bits) & exponent_mask;
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  if (exponent == exponent_mask) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  const int smallest = 1 - format.largest_exponent;
  if (exponent == 0) return sign * std::ldexp(fraction, smallest - format.fraction_bits);
  return sign * std::ldexp(fraction + (1 << format.fraction_bits),
                           exponent - format.largest_exponent - format.fraction_bits);
}

uint16_t Encode(double value, Format format) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const int infinity = (2 * format.largest_exponent + 1) << format.fraction_bits;
  if (std::isnan(value))
    return static_cast<uint16_t>(sign | infinity | 1 << (format.fraction_bits - 1));
  const double size = std::fabs(value);
  if (size == 0) return static_cast<uint16_t>(sign);
  const int smallest = 1 - format.largest_exponent;
  const int exponent = std::isinf(size) ? format.largest_exponent + 1 : std::ilogb(size);
  if (exponent > format.largest_exponent) return static_cast<uint16_t>(sign | infinity);
  const int scale = exponent < smallest ? smallest : exponent;
  // Units of the last place, ties to even. With the leading 1 they reach into the exponent field,
  // so that a normal number counts one more there than a subnormal, and a carry moves on by itself.
  const int places =
      static_cast<int>(std::nearbyint(std::ldexp(size, format.fraction_bits - scale)));
  return static_cast<uint16_t>(sign | (((scale - smallest) << format.fraction_bits) + places));
}

}  // namespace

double HalfToDouble(uint16_t bits) {
  return Decode(bits, kHalf);
}

uint16_t HalfFromDouble(double value) {
  return Encode(value, kHalf);
}

double BFloat16ToDouble(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t BFloat16FromDouble(double value) {
  return Encode(value, kBFloat16);
}

}  // namespace pteproof
