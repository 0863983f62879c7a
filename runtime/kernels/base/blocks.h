// Elements in blocks: loaded from any element type as plain numbers of one, computed on in tight
// loops, and stored. Data may lie at any address, in memory that knows where it ends
// (checked_pointer.h).
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_BLOCKS_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_BLOCKS_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "pteproof/scalar_type.h"
#include "runtime/kernels/base/element.h"
#include "runtime/kernels/base/run_value.h"

namespace pteproof::kernels {

using Complex = std::complex<double>;

inline constexpr int64_t kBlock = 256;  // elements

[[nodiscard]] bool IsRealType(ScalarType dtype);  // floats
[[nodiscard]] bool IsComplexType(ScalarType dtype);
[[nodiscard]] inline bool IsIntegerType(ScalarType dtype) {  // with bool
  return !IsRealType(dtype) && !IsComplexType(dtype);
}

// Loads `count` elements that lie `stride` bytes apart. As float only float32 and bool.
void LoadBlock(ScalarType dtype, CheckedPointer from, int64_t stride, int64_t count, float* to);
void LoadBlock(ScalarType dtype, CheckedPointer from, int64_t stride, int64_t count, double* to);
void LoadBlock(ScalarType dtype, CheckedPointer from, int64_t stride, int64_t count, int64_t* to);
void LoadBlock(ScalarType dtype, CheckedPointer from, int64_t stride, int64_t count, Complex* to);

// Stores them, rounded and taken modulo as StoreElement does.
void StoreBlock(ScalarType dtype, const float* from, int64_t count, CheckedPointer to,
                int64_t stride);
void StoreBlock(ScalarType dtype, const double* from, int64_t count, CheckedPointer to,
                int64_t stride);
void StoreBlock(ScalarType dtype, const int64_t* from, int64_t count, CheckedPointer to,
                int64_t stride);
void StoreBlock(ScalarType dtype, const Complex* from, int64_t count, CheckedPointer to,
                int64_t stride);
void StoreBlock(ScalarType dtype, const bool* from, int64_t count, CheckedPointer to,
                int64_t stride);

// Takes numbers to what the element type can hold.
void RoundBlock(ScalarType dtype, float* numbers, int64_t count);
void RoundBlock(ScalarType dtype, double* numbers, int64_t count);
void RoundBlock(ScalarType dtype, int64_t* numbers, int64_t count);
void RoundBlock(ScalarType dtype, Complex* numbers, int64_t count);

// The element type that lies in memory as a T does; bool, of which any byte is one, is none.
template <class T>
inline constexpr ScalarType kTypeOf = ScalarType::kComplex128;
template <>
inline constexpr ScalarType kTypeOf<float> = ScalarType::kFloat32;
template <>
inline constexpr ScalarType kTypeOf<double> = ScalarType::kFloat64;
template <>
inline constexpr ScalarType kTypeOf<int64_t> = ScalarType::kInt64;

// Copies floats, which may lie at any address. Many are quickest where they are as many as a
// product's panel is wide.
inline void CopyFloats(const std::byte* from, int64_t count, float* to) {
  if (count == 16) {
    std::memcpy(to, from, 16 * sizeof(float));
  } else if (count == 8) {
    std::memcpy(to, from, 8 * sizeof(float));
  } else {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
  }
}

// A number as elements are stored from it.
template <class T>
[[nodiscard]] ElementNumber ElementOf(T number) {
  if constexpr (std::is_same_v<T, Complex>) {
    return {true, 0, number.real(), number.imag()};
  } else if constexpr (std::is_integral_v<T>) {
    return {.integer = static_cast<int64_t>(number)};
  } else {
    return {.is_real = true, .real = number};
  }
}

// Single elements, by way of the same functions.
template <class T>
[[nodiscard]] T LoadOne(ScalarType dtype, CheckedPointer from) {
  T number;
  if (dtype == kTypeOf<T>) {
    std::memcpy(&number, from.Read(sizeof(T)), sizeof(T));
  } else {
    LoadBlock(dtype, from, 0, 1, &number);
  }
  return number;
}
template <class T>
void StoreOne(ScalarType dtype, T number, CheckedPointer to) {
  if (dtype == kTypeOf<T>) {
    std::memcpy(to.Write(sizeof(T)), &number, sizeof(T));
  } else {
    StoreBlock(dtype, &number, 1, to, 0);
  }
}

// Whether a byte of bools is true: any but 0.
[[nodiscard]] inline bool IsTrue(CheckedPointer flag) {
  return *flag.Read(1) != std::byte{0};
}

// The same of any type.
[[nodiscard]] inline ElementNumber LoadElement(ScalarType dtype, CheckedPointer from) {
  return LoadElement(dtype, from.Read(ElementSize(dtype)));
}
inline void StoreElement(ScalarType dtype, CheckedPointer to, const ElementNumber& number) {
  StoreElement(dtype, to.Write(ElementSize(dtype)), number);
}
inline void CopyConverted(ScalarType from_type, CheckedPointer from, ScalarType to_type,
                          CheckedPointer to) {
  CopyConverted(from_type, from.Read(ElementSize(from_type)), to_type,
                to.Write(ElementSize(to_type)));
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_BLOCKS_H_
