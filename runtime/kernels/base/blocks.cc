#include "runtime/kernels/base/blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "runtime/kernels/base/element.h"

namespace pteproof::kernels {
namespace {

template <class From, class To>
void LoadPlain(const std::byte* from, int64_t stride, int64_t count, To* to) {
  if constexpr (std::is_same_v<From, To>) {
    if (stride == static_cast<int64_t>(sizeof(From))) {
      std::memcpy(to, from, static_cast<size_t>(count) * sizeof(From));
      return;
    }
  }
  for (int64_t i = 0; i < count; ++i) {
    From element;
    std::memcpy(&element, from + i * stride, sizeof(From));
    to[i] = static_cast<To>(element);
  }
}

// Any byte but 0 is true.
template <class To>
void LoadFlags(const std::byte* from, int64_t stride, int64_t count, To* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i * stride] != std::byte{0});
}

// bfloat16, the upper half of a float32.
void LoadShortened(const std::byte* from, int64_t stride, int64_t count, double* to) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits;
    std::memcpy(&bits, from + i * stride, sizeof bits);
    to[i] = static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16));
  }
}

template <class From, class To>
void StorePlain(const From* from, int64_t count, std::byte* to, int64_t stride) {
  if constexpr (std::is_same_v<From, To>) {
    if (stride == static_cast<int64_t>(sizeof(To))) {
      std::memcpy(to, from, static_cast<size_t>(count) * sizeof(To));
      return;
    }
  }
  for (int64_t i = 0; i < count; ++i) {
    const auto element = static_cast<To>(from[i]);
    std::memcpy(to + i * stride, &element, sizeof(To));
  }
}

// A float as an integer goes the way of stored elements.
template <class T>
T NumberAs(const ElementNumber& number) {
  if constexpr (std::is_same_v<T, Complex>) {
    return number.is_real ? Complex(number.real, number.imaginary)
                          : Complex(static_cast<double>(number.integer));
  } else if constexpr (std::is_same_v<T, int64_t>) {
    if (!number.is_real) return number.integer;
    int64_t integer;
    StoreElement(ScalarType::kInt64, reinterpret_cast<std::byte*>(&integer), number);
    return integer;
  } else {
    return number.is_real ? static_cast<T>(number.real) : static_cast<T>(number.integer);
  }
}

template <class T>
void LoadAny(ScalarType dtype, const std::byte* from, int64_t stride, int64_t count, T* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = NumberAs<T>(LoadElement(dtype, from + i * stride));
}

template <class T>
void StoreAny(ScalarType dtype, const T* from, int64_t count, std::byte* to, int64_t stride) {
  for (int64_t i = 0; i < count; ++i) StoreElement(dtype, to + i * stride, ElementOf(from[i]));
}

template <class T>
void RoundAny(ScalarType dtype, T* numbers, int64_t count) {
  std::array<std::byte, 16> slot;
  for (int64_t i = 0; i < count; ++i) {
    StoreElement(dtype, slot.data(), ElementOf(numbers[i]));
    numbers[i] = NumberAs<T>(LoadElement(dtype, slot.data()));
  }
}

}  // namespace

bool IsRealType(ScalarType dtype) {
  return dtype == ScalarType::kFloat32 || dtype == ScalarType::kFloat64 ||
         dtype == ScalarType::kFloat16 || dtype == ScalarType::kBFloat16;
}

bool IsComplexType(ScalarType dtype) {
  return dtype == ScalarType::kComplex32 || dtype == ScalarType::kComplex64 ||
         dtype == ScalarType::kComplex128;
}

void LoadBlock(ScalarType dtype, CheckedPointer place, int64_t stride, int64_t count, float* to) {
  const std::byte* from = place.Read(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  if (dtype == ScalarType::kFloat32) return LoadPlain<float>(from, stride, count, to);
  if (dtype == ScalarType::kBool) return LoadFlags(from, stride, count, to);
  LoadAny(dtype, from, stride, count, to);
}

void LoadBlock(ScalarType dtype, CheckedPointer place, int64_t stride, int64_t count, double* to) {
  const std::byte* from = place.Read(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  if (dtype == ScalarType::kFloat32) return LoadPlain<float>(from, stride, count, to);
  if (dtype == ScalarType::kFloat64) return LoadPlain<double>(from, stride, count, to);
  if (dtype == ScalarType::kBool) return LoadFlags(from, stride, count, to);
  if (dtype == ScalarType::kBFloat16) return LoadShortened(from, stride, count, to);
  LoadAny(dtype, from, stride, count, to);
}

void LoadBlock(ScalarType dtype, CheckedPointer place, int64_t stride, int64_t count, int64_t* to) {
  const std::byte* from = place.Read(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  switch (dtype) {
    case ScalarType::kInt64:
      return LoadPlain<int64_t>(from, stride, count, to);
    case ScalarType::kInt32:
      return LoadPlain<int32_t>(from, stride, count, to);
    case ScalarType::kUInt8:
      return LoadPlain<uint8_t>(from, stride, count, to);
    case ScalarType::kInt8:
      return LoadPlain<int8_t>(from, stride, count, to);
    case ScalarType::kBool:
      return LoadFlags(from, stride, count, to);
    default:
      return LoadAny(dtype, from, stride, count, to);
  }
}

void LoadBlock(ScalarType dtype, CheckedPointer place, int64_t stride, int64_t count, Complex* to) {
  const std::byte* from = place.Read(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  LoadAny(dtype, from, stride, count, to);
}

void StoreBlock(ScalarType dtype, const float* from, int64_t count, CheckedPointer place,
                int64_t stride) {
  std::byte* to = place.Write(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  if (dtype == ScalarType::kFloat32) return StorePlain<float, float>(from, count, to, stride);
  StoreAny(dtype, from, count, to, stride);
}

void StoreBlock(ScalarType dtype, const double* from, int64_t count, CheckedPointer place,
                int64_t stride) {
  std::byte* to = place.Write(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  if (dtype == ScalarType::kFloat32) return StorePlain<double, float>(from, count, to, stride);
  if (dtype == ScalarType::kFloat64) return StorePlain<double, double>(from, count, to, stride);
  StoreAny(dtype, from, count, to, stride);
}

void StoreBlock(ScalarType dtype, const int64_t* from, int64_t count, CheckedPointer place,
                int64_t stride) {
  std::byte* to = place.Write(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  switch (dtype) {
    case ScalarType::kInt64:
      return StorePlain<int64_t, int64_t>(from, count, to, stride);
    case ScalarType::kInt32:
      return StorePlain<int64_t, int32_t>(from, count, to, stride);
    case ScalarType::kUInt8:
    case ScalarType::kInt8:
      return StorePlain<int64_t, uint8_t>(from, count, to, stride);
    default:
      return StoreAny(dtype, from, count, to, stride);
  }
}

void StoreBlock(ScalarType dtype, const Complex* from, int64_t count, CheckedPointer place,
                int64_t stride) {
  std::byte* to = place.Write(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  StoreAny(dtype, from, count, to, stride);
}

void StoreBlock(ScalarType dtype, const bool* from, int64_t count, CheckedPointer place,
                int64_t stride) {
  std::byte* to = place.Write(ElementSize(dtype), stride, count);
  if (count <= 0) return;
  if (ElementSize(dtype) == 1) return StorePlain<bool, uint8_t>(from, count, to, stride);
  StoreAny(dtype, from, count, to, stride);
}

void RoundBlock(ScalarType dtype, float* numbers, int64_t count) {
  if (dtype != ScalarType::kFloat32) RoundAny(dtype, numbers, count);
}

void RoundBlock(ScalarType dtype, double* numbers, int64_t count) {
  if (dtype == ScalarType::kFloat64) return;
  if (dtype != ScalarType::kFloat32) return RoundAny(dtype, numbers, count);
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<double>(static_cast<float>(numbers[i]));
  }
}

void RoundBlock(ScalarType dtype, int64_t* numbers, int64_t count) {
  if (dtype != ScalarType::kInt64) RoundAny(dtype, numbers, count);
}

void RoundBlock(ScalarType dtype, Complex* numbers, int64_t count) {
  if (dtype != ScalarType::kComplex128) RoundAny(dtype, numbers, count);
}

}  // namespace pteproof::kernels
