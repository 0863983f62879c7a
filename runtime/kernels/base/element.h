// Single elements as numbers, with the conversions that x86-64 and IEEE 754 have.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_ELEMENT_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_ELEMENT_H_

#include <cstddef>
#include <cstdint>

#include "pteproof/scalar_type.h"

namespace pteproof {

// An element as a number: an integer where the type is one (or bool), else a float; the imaginary
// part of a complex.
struct ElementNumber {
  bool is_real = false;
  int64_t integer = 0;
  double real = 0;
  double imaginary = 0;
};

[[nodiscard]] ElementNumber LoadElement(ScalarType dtype, const std::byte* from);

// Rounds to nearest even; takes integers modulo 2^bits; a bool is `!= 0`. A float that an integer
// type does not hold, and NaN, give the least int32 (types up to int32, by way of it) or int64.
void StoreElement(ScalarType dtype, std::byte* to, const ElementNumber& number);

// Copies one element, converting where the types differ.
void CopyConverted(ScalarType from_type, const std::byte* from, ScalarType to_type, std::byte* to);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_ELEMENT_H_
