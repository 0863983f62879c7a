// A tensor's contents in a run: element type, sizes and bytes, row-major whatever the program's
// memory order is. Also how single elements are read and written as numbers, with the conversions
// of C++ and of IEEE.
#ifndef PTEPROOF_REFERENCE_TENSOR_VALUE_H_
#define PTEPROOF_REFERENCE_TENSOR_VALUE_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
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

// Product of the sizes, none of which is negative; of a tensor without elements 0, whatever the
// other sizes are. The largest int64 if the product does not fit.
[[nodiscard]] int64_t ElementCount(std::span<const int64_t> sizes);
[[nodiscard]] inline int64_t ElementCount(const TensorValue& t) {
  return ElementCount(t.sizes);
}

// All bytes zero.
[[nodiscard]] TensorValue Zeros(ScalarType dtype, Sizes sizes);

[[nodiscard]] bool IsComplex(ScalarType type);
// float16, bfloat16, float32, float64.
[[nodiscard]] bool IsFloat(ScalarType type);
// Signed or unsigned integers; not bool.
[[nodiscard]] bool IsInteger(ScalarType type);

// Element i (in row-major order) as a number. Int truncates towards zero; floats that an int64 does
// not hold, and NaN, give the least int64, as x86-64 converts. Real of a complex is its real part.
[[nodiscard]] double RealAt(const TensorValue& t, int64_t i);
[[nodiscard]] int64_t IntAt(const TensorValue& t, int64_t i);
[[nodiscard]] std::complex<double> ComplexAt(const TensorValue& t, int64_t i);
// Whether element i is not zero, as NaN is not; whether it is a float's NaN.
[[nodiscard]] bool IsTrueAt(const TensorValue& t, int64_t i);
[[nodiscard]] bool IsNanAt(const TensorValue& t, int64_t i);
// Stores with rounding to nearest even (floats), modulo 2^bits (integers), or as `!= 0` (bool). A
// float goes to int32 and smaller types by way of int32, to others by way of int64, as above.
void SetReal(TensorValue& t, int64_t i, double value);
void SetInt(TensorValue& t, int64_t i, int64_t value);
void SetComplex(TensorValue& t, int64_t i, std::complex<double> value);

// What `value` becomes when stored as that type and read again.
[[nodiscard]] double Rounded(double value, ScalarType type);

// The bytes of element i.
[[nodiscard]] std::span<const std::byte> ElementBytes(const TensorValue& t, int64_t i);
[[nodiscard]] std::span<std::byte> ElementBytes(TensorValue& t, int64_t i);

// Copies element `from` of `source` to element `to`, converting where the types differ.
void CopyElement(const TensorValue& source, int64_t from, TensorValue& target, int64_t to);

// The same elements as another type, converted one by one.
[[nodiscard]] TensorValue Converted(const TensorValue& t, ScalarType dtype);

// Elements between neighbours, per dimension, of a row-major tensor of these sizes; zeros for one
// without elements.
[[nodiscard]] std::vector<int64_t> RowMajorStrides(std::span<const int64_t> sizes);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_TENSOR_VALUE_H_
