// Whole tensors as numbers of one C++ type, so that the inner loops of products, convolutions and
// sums are plain: double for floats, uint64_t for integers and bool (sums and products modulo 2^64,
// which is exact modulo any smaller size), std::complex<double>.
#ifndef PTEPROOF_REFERENCE_OPS_ELEMENTS_H_
#define PTEPROOF_REFERENCE_OPS_ELEMENTS_H_

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

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
[[nodiscard]] std::vector<T> Elements(const TensorValue& t) {
  std::vector<T> elements(static_cast<size_t>(ElementCount(t)));
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = Element<T>(t, static_cast<int64_t>(i));
  return elements;
}

// The same read one by one, without memory for all of them: t must outlive it.
template <class T>
struct ElementReader {
  const TensorValue& t;

  [[nodiscard]] T operator[](int64_t i) const { return Element<T>(t, i); }
};

// Stores as many elements as the tensor has.
template <class T>
void SetElements(TensorValue& t, const std::vector<T>& elements) {
  for (size_t i = 0; i < elements.size(); ++i) {
    SetElement(t, static_cast<int64_t>(i), elements[i]);
  }
}

// Calls use(T{}) with the type that computes elements of `type`, and returns what it returns.
template <class Use>
auto WithNumbers(ScalarType type, Use use) {
  if (IsComplex(type)) return use(std::complex<double>());
  return IsFloat(type) ? use(double{}) : use(uint64_t{});
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_ELEMENTS_H_
