// Short ways to an operator's operands, for type rules and meanings alike. The kinds were checked
// against the schema before: a wrong one is a programmer's mistake.
#ifndef PTEPROOF_REFERENCE_OPERANDS_H_
#define PTEPROOF_REFERENCE_OPERANDS_H_

#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "reference/op_meaning.h"

namespace pteproof {

template <class Arg>
using TensorOfArg = std::conditional_t<std::is_same_v<Arg, Argument>, TensorValue, TensorType>;
template <class Arg>
using IntOfArg = std::conditional_t<std::is_same_v<Arg, Argument>, int64_t, SizeExpr>;

template <class Arg>
[[nodiscard]] bool IsNone(const CallOf<Arg>& call, size_t i) {
  return std::holds_alternative<std::monostate>(call.args[i]);
}

template <class Arg>
[[nodiscard]] const TensorOfArg<Arg>& TensorAt(const CallOf<Arg>& call, size_t i) {
  return *std::get<const TensorOfArg<Arg>*>(call.args[i]);
}

// Null for None.
template <class Arg>
[[nodiscard]] const TensorOfArg<Arg>* TensorOrNull(const CallOf<Arg>& call, size_t i) {
  const auto* tensor = std::get_if<const TensorOfArg<Arg>*>(&call.args[i]);
  return tensor == nullptr ? nullptr : *tensor;
}

template <class Arg>
[[nodiscard]] std::span<const TensorOfArg<Arg>* const> TensorsAt(const CallOf<Arg>& call,
                                                                 size_t i) {
  return std::get<std::vector<const TensorOfArg<Arg>*>>(call.args[i]);
}

template <class Arg>
[[nodiscard]] const IntOfArg<Arg>& IntAt(const CallOf<Arg>& call, size_t i) {
  return std::get<IntOfArg<Arg>>(call.args[i]);
}

template <class Arg>
[[nodiscard]] IntOfArg<Arg> IntOr(const CallOf<Arg>& call, size_t i, IntOfArg<Arg> otherwise) {
  return IsNone(call, i) ? otherwise : IntAt(call, i);
}

// Empty for None.
template <class Arg>
[[nodiscard]] std::span<const IntOfArg<Arg>> IntsAt(const CallOf<Arg>& call, size_t i) {
  if (IsNone(call, i)) return {};
  return std::get<std::vector<IntOfArg<Arg>>>(call.args[i]);
}

template <class Arg>
[[nodiscard]] std::span<const double> RealsAt(const CallOf<Arg>& call, size_t i) {
  if (IsNone(call, i)) return {};
  return std::get<std::vector<double>>(call.args[i]);
}

template <class Arg>
[[nodiscard]] bool BoolAt(const CallOf<Arg>& call, size_t i) {
  return std::get<bool>(call.args[i]);
}

template <class Arg>
[[nodiscard]] double RealAt(const CallOf<Arg>& call, size_t i) {
  return std::get<double>(call.args[i]);
}

// Empty for None.
template <class Arg>
[[nodiscard]] std::string_view TextAt(const CallOf<Arg>& call, size_t i) {
  if (IsNone(call, i)) return {};
  return std::get<std::string_view>(call.args[i]);
}

// A number given as an integer, a bool or a float.
struct Number {
  enum class Kind : uint8_t { kBool, kInt, kReal };
  Kind kind = Kind::kInt;
  int64_t integer = 0;  // kBool, kInt
  double real = 0;      // kReal, and the integer as a float

  [[nodiscard]] bool is_real() const { return kind == Kind::kReal; }
};

[[nodiscard]] Number NumberOf(const Argument& argument);
[[nodiscard]] inline Number NumberAt(const Call& call, size_t i) {
  return NumberOf(call.args[i]);
}

// Whether a number argument is a bool, an integer or a float: all that a type rule may know of it.
[[nodiscard]] Number::Kind NumberKindAt(const TypeCall& call, size_t i);

// A dimension counted from the back when negative; nothing when it is none of `rank` (a tensor
// without dimensions has one here, as in PyTorch).
[[nodiscard]] std::optional<int64_t> Dimension(int64_t dim, int64_t rank);

// The constant that a type rule needs (a dimension, a kernel size), or nothing when it depends on
// the dims.
[[nodiscard]] std::optional<int64_t> ConstantAt(const TypeCall& call, size_t i);
[[nodiscard]] std::optional<std::vector<int64_t>> ConstantsAt(const TypeCall& call, size_t i);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPERANDS_H_
