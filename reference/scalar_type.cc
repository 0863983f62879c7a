#include "pteproof/scalar_type.h"

#include <array>
#include <cstddef>

namespace pteproof {
namespace {

struct TypeRow {
  std::string_view name;
  uint32_t size;
};

// Indexed by the number in the file.
constexpr std::array<TypeRow, 30> kTypes = {{
    {"uint8", 1},           {"int8", 1},
    {"int16", 2},           {"int32", 4},
    {"int64", 8},           {"float16", 2},
    {"float32", 4},         {"float64", 8},
    {"complex32", 4},       {"complex64", 8},
    {"complex128", 16},     {"bool", 1},
    {"qint8", 1},           {"quint8", 1},
    {"qint32", 4},          {"bfloat16", 2},
    {"quint4x2", 1},        {"quint2x4", 1},
    {"bits1x8", 1},         {"bits2x4", 1},
    {"bits4x2", 1},         {"bits8", 1},
    {"bits16", 2},          {"float8_e5m2", 1},
    {"float8_e4m3fn", 1},   {"float8_e5m2fnuz", 1},
    {"float8_e4m3fnuz", 1}, {"uint16", 2},
    {"uint32", 4},          {"uint64", 8},
}};

const TypeRow& Row(ScalarType type) {
  return kTypes[static_cast<size_t>(type)];
}

}  // namespace

uint32_t ElementSize(ScalarType type) {
  return Row(type).size;
}

std::string_view Name(ScalarType type) {
  return Row(type).name;
}

std::optional<ScalarType> ScalarTypeOf(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<ScalarType>(i);
  }
  return std::nullopt;
}

}  // namespace pteproof
