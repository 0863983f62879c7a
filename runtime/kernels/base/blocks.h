// Elements in blocks: loaded from any element type as plain numbers of one, computed on in tight
// loops, and stored. Data may lie at any address.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_BLOCKS_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_BLOCKS_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "pteproof/scalar_type.h"
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
void LoadBlock(ScalarType dtype, const std::byte* from, int64_t stride, int64_t count, float* to);
void LoadBlock(ScalarType dtype, const std::byte* from, int64_t stride, int64_t count, double* to);
void LoadBlock(ScalarType dtype, const std::byte* from, int64_t stride, int64_t count, int64_t* to);
void LoadBlock(ScalarType dtype, const std::byte* from, int64_t stride, int64_t count, Complex* to);

// Stores them, rounded and taken modulo as StoreElement does.
void StoreBlock(ScalarType dtype, const float* from, int64_t count, std::byte* to, int64_t stride);
void StoreBlock(ScalarType dtype, const double* from, int64_t count, std::byte* to, int64_t stride);
void StoreBlock(ScalarType dtype, const int64_t* from, int64_t count, std::byte* to,
                int64_t stride);
void StoreBlock(ScalarType dtype, const Complex* from, int64_t count, std::byte* to,
                int64_t stride);
void StoreBlock(ScalarType dtype, const bool* from, int64_t count, std::byte* to, int64_t stride);

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

// Single elements, by way of the same functions.
template <class T>
[[nodiscard]] T LoadOne(ScalarType dtype, const std::byte* from) {
  T number;
  if (dtype == kTypeOf<T>) {
    std::memcpy(&number, from, sizeof(T));
  } else {
    LoadBlock(dtype, from, 0, 1, &number);
  }
  return number;
}
template <class T>
void StoreOne(ScalarType dtype, T number, std::byte* to) {
  if (dtype == kTypeOf<T>) {
    std::memcpy(to, &number, sizeof(T));
  } else {
    StoreBlock(dtype, &number, 1, to, 0);
  }
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_BLOCKS_H_
