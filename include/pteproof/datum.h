// Values that a caller passes to a method or gets back: nothing, a number, a text or a tensor.
// Sizes are elements per dimension; elements are row-major, whatever the program's memory order is.
//
// Example:
//
//   pteproof::TensorValue ones = pteproof::Zeros(pteproof::ScalarType::kFloat32, {2, 3});
//   for (int64_t i = 0; i < pteproof::ElementCount(ones); ++i) pteproof::SetReal(ones, i, 1.0);
//   const pteproof::Datum datum = ones;
//   return std::holds_alternative<pteproof::TensorValue>(datum) && ones.bytes.size() == 24 ? 0 : 1;
#ifndef PTEPROOF_DATUM_H_
#define PTEPROOF_DATUM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "pteproof/scalar_type.h"

namespace pteproof {

using Sizes = std::vector<int64_t>;

struct TensorValue {
  ScalarType dtype = ScalarType::kFloat32;
  Sizes sizes;
  std::vector<std::byte> bytes;  // element count * ElementSize(dtype)

  [[nodiscard]] int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  bool operator==(const TensorValue&) const = default;
};

using Datum = std::variant<std::monostate, int64_t, bool, double, std::string, TensorValue>;

// Product of the sizes, none of which is negative; of a tensor without elements 0, whatever the
// other sizes are. The largest int64 where the product is no int64.
[[nodiscard]] int64_t ElementCount(std::span<const int64_t> sizes);
[[nodiscard]] inline int64_t ElementCount(const TensorValue& t) {
  return ElementCount(t.sizes);
}

// All bytes zero.
[[nodiscard]] TensorValue Zeros(ScalarType dtype, Sizes sizes);

// Element i (in row-major order) as a number. Int truncates towards zero; floats that an int64 does
// not hold, and NaN, give the least int64, as x86-64 converts. Real of a complex is its real part.
[[nodiscard]] double RealAt(const TensorValue& t, int64_t i);
[[nodiscard]] int64_t IntAt(const TensorValue& t, int64_t i);

// Stores with rounding to nearest even (floats), modulo 2^bits (integers), or as `!= 0` (bool). A
// float goes to int32 and smaller types by way of int32, to others by way of int64, as above.
void SetReal(TensorValue& t, int64_t i, double value);
void SetInt(TensorValue& t, int64_t i, int64_t value);

}  // namespace pteproof

#endif  // PTEPROOF_DATUM_H_
