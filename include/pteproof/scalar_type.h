// Element types of tensors, numbered as in the file format, with their size in bytes and their
// name.
//
// Example:
//
//   const auto type = pteproof::ScalarTypeOf("bfloat16");
//   return type && pteproof::ElementSize(*type) == 2 ? 0 : 1;
#ifndef PTEPROOF_SCALAR_TYPE_H_
#define PTEPROOF_SCALAR_TYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace pteproof {

enum class ScalarType : int8_t {
  kUInt8 = 0,
  kInt8 = 1,
  kInt16 = 2,
  kInt32 = 3,
  kInt64 = 4,
  kFloat16 = 5,
  kFloat32 = 6,
  kFloat64 = 7,
  kComplex32 = 8,
  kComplex64 = 9,
  kComplex128 = 10,
  kBool = 11,
  kQInt8 = 12,
  kQUInt8 = 13,
  kQInt32 = 14,
  kBFloat16 = 15,
  kQUInt4x2 = 16,
  kQUInt2x4 = 17,
  kBits1x8 = 18,
  kBits2x4 = 19,
  kBits4x2 = 20,
  kBits8 = 21,
  kBits16 = 22,
  kFloat8E5M2 = 23,
  kFloat8E4M3FN = 24,
  kFloat8E5M2FNUZ = 25,
  kFloat8E4M3FNUZ = 26,
  kUInt16 = 27,
  kUInt32 = 28,
  kUInt64 = 29,
};

// Whether a number read from a file names an element type (0 to 29).
[[nodiscard]] constexpr bool IsScalarType(int number) {
  return number >= 0 && number <= 29;
}

// Bytes of one element.
[[nodiscard]] uint32_t ElementSize(ScalarType type);

// PyTorch's name in lower case: "float32", "bool", "int64".
[[nodiscard]] std::string_view Name(ScalarType type);

// The type of that name, if there is one.
[[nodiscard]] std::optional<ScalarType> ScalarTypeOf(std::string_view name);

}  // namespace pteproof

#endif  // PTEPROOF_SCALAR_TYPE_H_
