// The choices of the makers of nodes: tests of operands, operators by number.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_CHOICES_H_
#define PTEPROOF_PROPERTIES_GENERATORS_CHOICES_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "reference/op_schema.h"
#include "reference/tensor_type.h"
#include "reference/tensor_value.h"

namespace pteproof::generators {

inline bool Any(const TensorType&) {
  return true;
}
inline bool IsReal(const TensorType& type) {
  return IsFloat(type.dtype);
}
inline bool IsNumeric(const TensorType& type) {
  return IsFloat(type.dtype) || IsInteger(type.dtype);
}
inline bool HasDimension(const TensorType& type) {
  return type.rank() > 0;
}
inline bool IsRealWithDimension(const TensorType& type) {
  return IsReal(type) && HasDimension(type);
}
inline bool IsNumericWithDimension(const TensorType& type) {
  return IsNumeric(type) && HasDimension(type);
}
inline bool IsMatrix(const TensorType& type) {
  return IsReal(type) && type.rank() == 2;
}

// Looked up once: a case is made in microseconds.
template <class... Names>
std::array<const OpSchema*, sizeof...(Names)> Schemas(Names... names) {
  return {FindOperator(names)...};
}

template <size_t N>
const OpSchema& Choose(const std::array<const OpSchema*, N>& schemas, uint8_t number) {
  return *schemas[number % N];
}

// `number` within `count`; of none the first.
inline uint8_t Modulo(uint8_t number, size_t count) {
  return static_cast<uint8_t>(number % std::max<size_t>(count, 1));
}

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_CHOICES_H_
