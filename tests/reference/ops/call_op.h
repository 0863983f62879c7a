// Calls operators by name on small tensors, for tests of their meanings and type rules.
#ifndef PTEPROOF_TESTS_REFERENCE_OPS_CALL_OP_H_
#define PTEPROOF_TESTS_REFERENCE_OPS_CALL_OP_H_

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/evaluate.h"
#include "reference/op_schema.h"

namespace pteproof {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A tensor of that element type; as many values as the sizes say.
[[nodiscard]] inline TensorValue Reals(ScalarType dtype, Sizes sizes,
                                       const std::vector<double>& values) {
  TensorValue t = Zeros(dtype, std::move(sizes));
  EXPECT_EQ(ElementCount(t), static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < values.size(); ++i) SetReal(t, static_cast<int64_t>(i), values[i]);
  return t;
}

[[nodiscard]] inline TensorValue Ints(ScalarType dtype, Sizes sizes,
                                      const std::vector<int64_t>& values) {
  TensorValue t = Zeros(dtype, std::move(sizes));
  EXPECT_EQ(ElementCount(t), static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < values.size(); ++i) SetInt(t, static_cast<int64_t>(i), values[i]);
  return t;
}

// float32 elements 0, 1, 2, ...
[[nodiscard]] inline TensorValue Counting(Sizes sizes) {
  TensorValue t = Zeros(ScalarType::kFloat32, std::move(sizes));
  for (int64_t i = 0; i < ElementCount(t); ++i) SetReal(t, i, static_cast<double>(i));
  return t;
}

[[nodiscard]] inline TensorType Floats(std::vector<SizeExpr> sizes) {
  return {ScalarType::kFloat32, std::move(sizes)};
}

// The element type that stores a T.
template <class T>
[[nodiscard]] constexpr ScalarType DtypeOf() {
  if constexpr (std::is_same_v<T, bool>) return ScalarType::kBool;
  if constexpr (std::is_same_v<T, float>) return ScalarType::kFloat32;
  if constexpr (std::is_same_v<T, double>) return ScalarType::kFloat64;
  if constexpr (std::is_same_v<T, uint8_t>) return ScalarType::kUInt8;
  if constexpr (std::is_same_v<T, int8_t>) return ScalarType::kInt8;
  if constexpr (std::is_same_v<T, int16_t>) return ScalarType::kInt16;
  if constexpr (std::is_same_v<T, int32_t>) return ScalarType::kInt32;
  return ScalarType::kInt64;
}

// Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}).
template <class T>
[[nodiscard]] TensorValue Tensor(Sizes sizes, const std::vector<T>& values) {
  if constexpr (std::is_floating_point_v<T>) {
    return Reals(DtypeOf<T>(), std::move(sizes), {values.begin(), values.end()});
  } else {
    return Ints(DtypeOf<T>(), std::move(sizes), {values.begin(), values.end()});
  }
}

// All elements in row-major order.
[[nodiscard]] inline std::vector<double> RealsOf(const TensorValue& t) {
  std::vector<double> values;
  for (int64_t i = 0; i < ElementCount(t); ++i) values.push_back(RealAt(t, i));
  return values;
}

[[nodiscard]] inline std::vector<int64_t> IntsOf(const TensorValue& t) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < ElementCount(t); ++i) values.push_back(IntAt(t, i));
  return values;
}

// An operand as a test writes it: kNone, 1, 2.5, true, "floor", a tensor (or type), or
// std::vector{...} of numbers, of tensors, or of optional tensors (nullopt: None).
inline constexpr std::monostate kNone{};

template <class Arg, class Int, class Tensor>
class OperandOf {
 public:
  OperandOf(Tensor tensor) : held_{std::make_shared<Tensor>(std::move(tensor))} {  // NOLINT
    arg_ = static_cast<const Tensor*>(held_[0].get());
  }
  OperandOf(const std::vector<Tensor>& tensors)  // NOLINT
      : OperandOf(std::vector<std::optional<Tensor>>(tensors.begin(), tensors.end())) {}
  OperandOf(const std::vector<std::optional<Tensor>>& tensors) {  // NOLINT
    std::vector<const Tensor*> list;
    for (const auto& tensor : tensors) {
      if (tensor) held_.push_back(std::make_shared<Tensor>(*tensor));
      list.push_back(tensor ? held_.back().get() : nullptr);
    }
    arg_ = std::move(list);
  }
  OperandOf(int number) : arg_(Int(number)) {}                   // NOLINT
  OperandOf(const char* text) : arg_(std::string_view(text)) {}  // NOLINT
  OperandOf(const std::vector<int>& list)                        // NOLINT
      : arg_(std::vector<Int>(list.begin(), list.end())) {}
  template <class T>
    requires(!std::is_same_v<T, Tensor> && std::is_constructible_v<Arg, T>)
  OperandOf(T value) : arg_(std::move(value)) {}  // NOLINT

  [[nodiscard]] const Arg& arg() const { return arg_; }

 private:
  std::vector<std::shared_ptr<Tensor>> held_;
  Arg arg_;
};
using Operand = OperandOf<Argument, int64_t, TensorValue>;
using TypeOperand = OperandOf<TypeArgument, SizeExpr, TensorType>;

template <class Arg, class Operands>
[[nodiscard]] std::vector<Arg> ArgsOf(const Operands& operands) {
  std::vector<Arg> args;
  for (const auto& operand : operands) args.push_back(operand.arg());
  return args;
}

// Operands in schema order without the outs; `dtypes` of the results as in Evaluate.
[[nodiscard]] inline Result<Evaluated, EvaluateError> CallOp(
    std::string_view name, const std::vector<Operand>& operands,
    const std::vector<ScalarType>& dtypes = {}) {
  const OpSchema* schema = FindOperator(name);
  if (schema == nullptr) return EvaluateError{true, "no such operator: " + std::string(name)};
  return Evaluate(*schema, ArgsOf<Argument>(operands), dtypes);
}

// All results of a call that must succeed.
[[nodiscard]] inline std::vector<TensorValue> ResultsOf(
    std::string_view name, const std::vector<Operand>& operands,
    const std::vector<ScalarType>& dtypes = {}) {
  const auto evaluated = CallOp(name, operands, dtypes);
  EXPECT_TRUE(evaluated.ok()) << evaluated.error().explanation;
  return evaluated.ok() ? evaluated.value().results : std::vector<TensorValue>(1);
}

// Its first result.
[[nodiscard]] inline TensorValue ResultOf(std::string_view name,
                                          const std::vector<Operand>& operands,
                                          const std::vector<ScalarType>& dtypes = {}) {
  return ResultsOf(name, operands, dtypes).at(0);
}

// The number that a call returns, which must succeed.
[[nodiscard]] inline ScalarResult NumberFrom(std::string_view name,
                                             const std::vector<Operand>& operands) {
  const auto evaluated = CallOp(name, operands);
  EXPECT_TRUE(evaluated.ok()) << evaluated.error().explanation;
  return evaluated.ok() ? evaluated.value().scalar.value() : ScalarResult{};
}

// Why a call is refused; "" when it is not.
[[nodiscard]] inline std::string FaultOf(std::string_view name,
                                         const std::vector<Operand>& operands) {
  const auto evaluated = CallOp(name, operands);
  return evaluated.ok() ? "" : evaluated.error().explanation;
}

// The types of the results before a run: sizes may be symbolic.
[[nodiscard]] inline Result<std::vector<TensorType>, EvaluateError> TypesOfOp(
    std::string_view name, const std::vector<TypeOperand>& operands) {
  const OpSchema* schema = FindOperator(name);
  if (schema == nullptr) return EvaluateError{true, "no such operator: " + std::string(name)};
  return ResultTypes(*schema, ArgsOf<TypeArgument>(operands));
}

// The type of the only result, of a call whose types are known.
[[nodiscard]] inline TensorType TypeOfOp(std::string_view name,
                                         const std::vector<TypeOperand>& operands) {
  const auto types = TypesOfOp(name, operands);
  EXPECT_TRUE(types.ok()) << types.error().explanation;
  return types.ok() ? types.value().at(0) : TensorType{};
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_REFERENCE_OPS_CALL_OP_H_
