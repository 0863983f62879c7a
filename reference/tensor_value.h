// Single elements of a TensorValue, read and written with the conversions of C++ and of IEEE: what
// pteproof/datum.h does not offer to callers of the library.
#ifndef PTEPROOF_REFERENCE_TENSOR_VALUE_H_
#define PTEPROOF_REFERENCE_TENSOR_VALUE_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pteproof/datum.h"

namespace pteproof {

[[nodiscard]] bool IsComplex(ScalarType type);
// float16, bfloat16, float32, float64.
[[nodiscard]] bool IsFloat(ScalarType type);
// Signed or unsigned integers; not bool.
[[nodiscard]] bool IsInteger(ScalarType type);

[[nodiscard]] std::complex<double> ComplexAt(const TensorValue& t, int64_t i);
// Whether element i is not zero, as NaN is not; whether it is a float's NaN.
[[nodiscard]] bool IsTrueAt(const TensorValue& t, int64_t i);
[[nodiscard]] bool IsNanAt(const TensorValue& t, int64_t i);
// Stores with rounding to nearest even.
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
