#include "runtime/kernels/base/element.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace pteproof {
namespace {

template <class T>
T Load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T>
void Store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

// A float32's bits shifted into place are too small by the difference of the exponents' biases.
// NaNs are one NaN.
double FromHalf(_Float16 value) {
  constexpr uint32_t kInfinity = 0x7C00;
  const auto bits = std::bit_cast<uint16_t>(value);
  const uint32_t magnitude = bits & 0x7FFF;
  if (magnitude > kInfinity) return std::numeric_limits<double>::quiet_NaN();
  double real = static_cast<double>(std::bit_cast<float>(magnitude << 13)) * 0x1p112;
  if (magnitude == kInfinity) real = std::numeric_limits<double>::infinity();
  return bits == magnitude ? real : -real;
}

_Float16 ToHalf(double value) {
  constexpr uint16_t kNan = 0x7E00;
  constexpr uint16_t kNegativeNan = 0xFE00;
  if (!std::isnan(value)) return static_cast<_Float16>(value);
  return std::bit_cast<_Float16>(std::signbit(value) ? kNegativeNan : kNan);
}

double FromBFloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// By way of a float32 rounded to odd, so that rounding twice is rounding once.
uint16_t ToBFloat16(double value) {
  auto near = static_cast<float>(value);
  uint32_t bits = std::bit_cast<uint32_t>(near);
  if (std::isnan(value)) return std::signbit(value) ? 0xFFC0 : 0x7FC0;
  if (static_cast<double>(near) != value && !std::isinf(near)) {
    if (std::fabs(static_cast<double>(near)) > std::fabs(value)) --bits;
    bits |= 1;
  }
  if (std::isinf(near)) return static_cast<uint16_t>(bits >> 16);
  const uint32_t half_way = 0x7FFF + (bits >> 16 & 1);
  return static_cast<uint16_t>((bits + half_way) >> 16);
}

int64_t ToInt64(double value) {
  constexpr double kLimit = 0x1p63;
  const bool fits = value >= -kLimit && value < kLimit;
  return fits ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::min();
}

int64_t ToInt32(double value) {
  const bool fits = value > -0x1p31 - 1 && value < 0x1p31;
  return fits ? static_cast<int64_t>(value) : std::numeric_limits<int32_t>::min();
}

ElementNumber Real(double value) {
  return {.is_real = true, .real = value};
}
ElementNumber Integer(int64_t value) {
  return {.integer = value};
}

double RealOf(const ElementNumber& number) {
  return number.is_real ? number.real : static_cast<double>(number.integer);
}

}  // namespace

ElementNumber LoadElement(ScalarType dtype, const std::byte* from) {
  switch (dtype) {
    case ScalarType::kFloat32:
      return Real(Load<float>(from));
    case ScalarType::kFloat64:
      return Real(Load<double>(from));
    case ScalarType::kFloat16:
      return Real(FromHalf(Load<_Float16>(from)));
    case ScalarType::kBFloat16:
      return Real(FromBFloat16(Load<uint16_t>(from)));
    case ScalarType::kComplex32:
      return {true, 0, FromHalf(Load<_Float16>(from)),
              FromHalf(Load<_Float16>(from + sizeof(_Float16)))};
    case ScalarType::kComplex64:
      return {true, 0, Load<float>(from), Load<float>(from + sizeof(float))};
    case ScalarType::kComplex128:
      return {true, 0, Load<double>(from), Load<double>(from + sizeof(double))};
    case ScalarType::kBool:
      return Integer(Load<uint8_t>(from) != 0 ? 1 : 0);
    case ScalarType::kInt8:
    case ScalarType::kQInt8:
      return Integer(Load<int8_t>(from));
    case ScalarType::kInt16:
      return Integer(Load<int16_t>(from));
    case ScalarType::kUInt16:
    case ScalarType::kBits16:
      return Integer(Load<uint16_t>(from));
    case ScalarType::kInt32:
    case ScalarType::kQInt32:
      return Integer(Load<int32_t>(from));
    case ScalarType::kUInt32:
      return Integer(Load<uint32_t>(from));
    case ScalarType::kInt64:
    case ScalarType::kUInt64:
      return Integer(Load<int64_t>(from));
    default:
      return Integer(Load<uint8_t>(from));
  }
}

void StoreElement(ScalarType dtype, std::byte* to, const ElementNumber& number) {
  switch (dtype) {
    case ScalarType::kFloat32:
      // An integer in one step: by way of double it would be rounded twice.
      return Store(to, number.is_real ? static_cast<float>(number.real)
                                      : static_cast<float>(number.integer));
    case ScalarType::kFloat64:
      return Store(to, RealOf(number));
    case ScalarType::kFloat16:
      return Store(to, ToHalf(RealOf(number)));
    case ScalarType::kBFloat16:
      return Store(to, ToBFloat16(RealOf(number)));
    case ScalarType::kComplex32:
      Store(to, ToHalf(RealOf(number)));
      return Store(to + sizeof(_Float16), ToHalf(number.imaginary));
    case ScalarType::kComplex64:
      Store(to, static_cast<float>(RealOf(number)));
      return Store(to + sizeof(float), static_cast<float>(number.imaginary));
    case ScalarType::kComplex128:
      Store(to, RealOf(number));
      return Store(to + sizeof(double), number.imaginary);
    case ScalarType::kBool:
      return Store(to,
                   static_cast<uint8_t>(number.is_real ? number.real != 0 : number.integer != 0));
    default:
      break;
  }
  const size_t size = ElementSize(dtype);
  const bool by_int32 = size <= sizeof(int32_t) && dtype != ScalarType::kUInt32;
  int64_t integer = number.integer;
  if (number.is_real) integer = by_int32 ? ToInt32(number.real) : ToInt64(number.real);
  std::memcpy(to, &integer, size);
}

void CopyConverted(ScalarType from_type, const std::byte* from, ScalarType to_type, std::byte* to) {
  if (from_type == to_type) {
    std::memmove(to, from, ElementSize(from_type));
  } else {
    StoreElement(to_type, to, LoadElement(from_type, from));
  }
}

}  // namespace pteproof
