// What elementwise operators share: PyTorch's promotion over tensors and numbers, and one driver
// that takes the operands element by element, all in one element type and broadcast to the result's
// sizes.
#ifndef PTEPROOF_REFERENCE_OPS_ELEMENTWISE_H_
#define PTEPROOF_REFERENCE_OPS_ELEMENTWISE_H_

#include <array>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "base/work.h"
#include "reference/ops/type_rules.h"

namespace pteproof {

using Complex = std::complex<double>;

// What promotion looks at: a tensor's type and rank, or a number's kind.
struct Promotable {
  std::optional<Number::Kind> number;
  ScalarType dtype = ScalarType::kBool;
  size_t rank = 0;
};

// A tensor without dimensions counts only where it is of a higher category than one with some.
[[nodiscard]] Promotable Combined(const Promotable& a, const Promotable& b);

template <class Arg>
[[nodiscard]] Promotable PromotableAt(const CallOf<Arg>& call, size_t i) {
  if (const auto* tensor = TensorOrNull(call, i)) {
    return {std::nullopt, tensor->dtype, tensor->sizes.size()};
  }
  if constexpr (std::is_same_v<Arg, Argument>) {
    return {.number = NumberAt(call, i).kind};
  } else {
    return {.number = NumberKindAt(call, i)};
  }
}

// The element type that all these operands, tensors or numbers, are promoted to. None is skipped,
// but for the first.
template <class Arg>
[[nodiscard]] ScalarType CommonType(const CallOf<Arg>& call,
                                    std::initializer_list<size_t> operands) {
  std::optional<Promotable> common;
  for (const size_t i : operands) {
    if (common && IsNone(call, i)) continue;
    const Promotable next = PromotableAt(call, i);
    common = common ? Combined(*common, next) : next;
  }
  return common->dtype;
}

// The sizes that the tensors among these operands broadcast to.
[[nodiscard]] SizesOrFault CommonSizes(const TypeCall& call,
                                       std::initializer_list<size_t> operands);

// Stores a number as the tensor's type has it.
void SetNumber(TensorValue& t, int64_t i, const Number& number);

// Operand i, a tensor or a number, as a tensor of that type and those sizes.
[[nodiscard]] TensorValue OperandAs(const Call& call, size_t i, ScalarType dtype,
                                    std::span<const int64_t> sizes);

// The kinds of elements that an operator takes.
enum class Admit : uint8_t { kAll, kReal, kInteger };  // kReal: all but complex

// Why it takes none of that type; empty: it does.
[[nodiscard]] std::string AdmissionFault(Admit admit, ScalarType type);

// Element types of results, by the operands' common type. FloatOf is another.
[[nodiscard]] inline ScalarType Itself(ScalarType type) {
  return type;
}
[[nodiscard]] inline ScalarType AlwaysBool(ScalarType) {
  return ScalarType::kBool;
}

// Type rule: one result, of the sizes that the operands broadcast to.
template <Admit kAdmit, ScalarType (*Result)(ScalarType), size_t... kOperand>
[[nodiscard]] Types ElementwiseTypes(const TypeCall& call) {
  const ScalarType common = CommonType(call, {kOperand...});
  if (std::string fault = AdmissionFault(kAdmit, common); !fault.empty()) return fault;
  SizesOrFault sizes = CommonSizes(call, {kOperand...});
  if (!sizes.ok()) return sizes.error();
  return OneResult(Result(common), std::move(sizes).value());
}

inline void SetElementTo(TensorValue& t, int64_t i, int64_t value) {
  SetInt(t, i, value);
}
inline void SetElementTo(TensorValue& t, int64_t i, bool value) {
  SetInt(t, i, value ? 1 : 0);
}
inline void SetElementTo(TensorValue& t, int64_t i, double value) {
  SetReal(t, i, value);
}
inline void SetElementTo(TensorValue& t, int64_t i, Complex value) {
  SetComplex(t, i, value);
}

// Whether the op is defined on that many T, not on something that a T would be narrowed to.
template <class Op, class T, size_t... kOperand>
concept Takes = requires(const Op& op, const T& x) {
  op.template operator()<T>((void(kOperand), x)...);
} || requires(const Op& op, const T& x) { op({(void(kOperand), x)}...); };

// The driver: takes the operands as `computed`, combines them by the op for int64_t (integers and
// bool), double or Complex, and rounds to `stored` before the result's own type.
template <size_t... kOperand, class Op>
std::string Combine(const Call& call, ScalarType computed, ScalarType stored, TensorValue& result,
                    const Op& op) {
  const std::array<TensorValue, sizeof...(kOperand)> operands = {
      OperandAs(call, kOperand, computed, result.sizes)...};
  TensorValue out = Zeros(stored, result.sizes);
  const int64_t count = ElementCount(out);
  const auto each = [&]<class T>(T (*element)(const TensorValue&, int64_t)) -> std::string {
    if constexpr (Takes<Op, T, kOperand...>) {
      const auto apply = [&](const auto&... t) {
        ForEachElement(count, [&](int64_t i) { SetElementTo(out, i, op(element(t, i)...)); });
      };
      std::apply(apply, operands);
      result = Converted(out, result.dtype);
      return {};
    }
    return "it is not defined for elements of type " + std::string(Name(computed));
  };
  if (IsComplex(computed)) return each(ComplexAt);
  using RealElement = double (*)(const TensorValue&, int64_t);
  using IntElement = int64_t (*)(const TensorValue&, int64_t);
  return IsFloat(computed) ? each(RealElement(RealAt)) : each(IntElement(IntAt));
}

// Meanings of operators without further arguments, by what they do to elements of the common type.
// InCommon gives that type, InFloat computes floats even of integers, ToBool answers a question.
template <class Op, size_t... kOperand>
std::string InCommon(const Call& call, std::span<TensorValue> results) {
  const ScalarType common = CommonType(call, {kOperand...});
  return Combine<kOperand...>(call, common, common, results[0], Op{});
}

template <class Op, size_t... kOperand>
std::string InFloat(const Call& call, std::span<TensorValue> results) {
  const ScalarType type = FloatOf(CommonType(call, {kOperand...}));
  return Combine<kOperand...>(call, type, type, results[0], Op{});
}

template <class Op, size_t... kOperand>
std::string ToBool(const Call& call, std::span<TensorValue> results) {
  const ScalarType common = CommonType(call, {kOperand...});
  return Combine<kOperand...>(call, common, ScalarType::kBool, results[0], Op{});
}

// Integer arithmetic modulo 2^64, which is exact modulo any smaller size.
[[nodiscard]] inline int64_t WrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
[[nodiscard]] inline int64_t WrappingSub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
[[nodiscard]] inline int64_t WrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// What kernels hold between two steps of an operation on that type: 16-bit floats as float32.
[[nodiscard]] inline double RoundedStep(double value, ScalarType type) {
  return Rounded(value, type == ScalarType::kFloat64 ? type : ScalarType::kFloat32);
}

// PyTorch's maximum and minimum: NaN when either is.
template <class T>
[[nodiscard]] T MaxOrNan(T a, T b) {
  return a != a || a > b ? a : b;  // NOLINT: NaN differs from itself
}
template <class T>
[[nodiscard]] T MinOrNan(T a, T b) {
  return a != a || a < b ? a : b;  // NOLINT
}

struct Larger {
  template <class T>
    requires(!std::is_same_v<T, Complex>)
  T operator()(T a, T b) const {
    return MaxOrNan(a, b);
  }
};
struct Smaller {
  template <class T>
    requires(!std::is_same_v<T, Complex>)
  T operator()(T a, T b) const {
    return MinOrNan(a, b);
  }
};

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_ELEMENTWISE_H_
