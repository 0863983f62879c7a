// Whole tensors as numbers of one C++ type, so that the inner loops of products, convolutions and
// sums are plain: double for floats, uint64_t for integers and bool (sums and products modulo 2^64,
// which is exact modulo any smaller size), std::complex<double>.
#ifndef PTEPROOF_REFERENCE_OPS_ELEMENTS_H_
#define PTEPROOF_REFERENCE_OPS_ELEMENTS_H_

#include <algorithm>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "base/work.h"
#include "reference/tensor_value.h"

namespace pteproof {

template <class T>
[[nodiscard]] T Element(const TensorValue& t, int64_t i) {
  if constexpr (std::is_same_v<T, double>) {
    return RealAt(t, i);
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return static_cast<uint64_t>(IntAt(t, i));
  } else {
    return ComplexAt(t, i);
  }
}

inline void SetElement(TensorValue& t, int64_t i, double value) {
  SetReal(t, i, value);
}
inline void SetElement(TensorValue& t, int64_t i, uint64_t value) {
  SetInt(t, i, static_cast<int64_t>(value));
}
inline void SetElement(TensorValue& t, int64_t i, std::complex<double> value) {
  SetComplex(t, i, value);
}

// All elements in row-major order.
template <class T>
[[nodiscard]] Numbers<T> Elements(const TensorValue& t) {
  Numbers<T> elements(static_cast<size_t>(ElementCount(t)));
  ForEachElement(ElementCount(t),
                 [&](int64_t i) { elements[static_cast<size_t>(i)] = Element<T>(t, i); });
  return elements;
}

// The same read one by one, without memory for all of them: t must outlive it.
template <class T>
struct ElementReader {
  const TensorValue& t;

  [[nodiscard]] T operator[](int64_t i) const { return Element<T>(t, i); }
};

// Products and sums of numbers are so much faster than reading or storing an element.
inline constexpr int64_t kProductsPerElement = 8;

// Stores as many elements as the tensor has.
template <class T>
void SetElements(TensorValue& t, const Numbers<T>& elements) {
  ForEachElement(std::min(ElementCount(t), static_cast<int64_t>(elements.size())),
                 [&](int64_t i) { SetElement(t, i, elements[static_cast<size_t>(i)]); });
}

// Calls use(T{}) with the type that computes elements of `type`, and returns what it returns.
template <class Use>
auto WithNumbers(ScalarType type, Use use) {
  if (IsComplex(type)) return use(std::complex<double>());
  return IsFloat(type) ? use(double{}) : use(uint64_t{});
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_ELEMENTS_H_
