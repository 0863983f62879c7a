// Operators on one tensor with numbers beside it: clamping, activations, dropout.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/ops/elementwise.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kActivationLibm =
    "float kernels compute in the type, the reference in double";
constexpr std::string_view kOneProduct = "kernels round the factors and the products in the type";

constexpr TypeRule kActivationFloat = ElementwiseTypes<Admit::kReal, FloatOf, 0>;
constexpr TypeRule kActivationSame = ElementwiseTypes<Admit::kReal, Itself, 0>;

// A number as the computing type holds it, or nothing.
struct Bound {
  bool present = false;
  int64_t integer = 0;
  double real = 0;

  template <class T>
  [[nodiscard]] T As() const {
    if constexpr (std::is_same_v<T, double>) return real;
    return static_cast<T>(integer);
  }
};

Bound BoundAt(const Call& call, size_t i, ScalarType type) {
  if (IsNone(call, i)) return {};
  const TensorValue stored = OperandAs(call, i, type, {});
  return {true, IntAt(stored, 0), RealAt(stored, 0)};
}

// The upper bound wins over a lower one above it.
struct ClampTo {
  Bound low;
  Bound high;

  template <class T>
    requires(!std::is_same_v<T, Complex>)
  T operator()(T x) const {
    if (low.present) x = MaxOrNan(x, low.As<T>());
    return high.present ? MinOrNan(x, high.As<T>()) : x;
  }
};

// Numbers of a higher category than the tensor promote it.
template <bool kPromotes>
std::string RunClamp(const Call& call, std::span<TensorValue> results) {
  const ScalarType type = kPromotes ? CommonType(call, {0, 1, 2}) : CommonType(call, {0});
  const ClampTo clamp = {BoundAt(call, 1, type), BoundAt(call, 2, type)};
  return Combine<0>(call, type, type, results[0], clamp);
}

// Activations that floats have: computed in the tensor's type.
template <class Op>
std::string Activate(const Call& call, TensorValue& result, const Op& op) {
  const ScalarType type = FloatOf(TensorAt(call, 0).dtype);
  return Combine<0>(call, type, type, result, op);
}

std::string RunElu(const Call& call, std::span<TensorValue> results) {
  const double positive = NumberAt(call, 2).real;
  const double negative = NumberAt(call, 1).real * positive;
  const double inner = NumberAt(call, 3).real;
  return Activate(call, results[0], [=](double x) {
    return x <= 0 ? negative * std::expm1(x * inner) : positive * x;
  });
}

std::string RunLeakyRelu(const Call& call, std::span<TensorValue> results) {
  const double slope = NumberAt(call, 1).real;
  return Activate(call, results[0], [=](double x) { return x > 0 ? x : slope * x; });
}

double Gelu(double x) {
  return x * 0.5 * (1 + std::erf(x / std::numbers::sqrt2));
}

double GeluByTanh(double x) {
  const double scale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return x * 0.5 * (1 + std::tanh(scale * (x + 0.044715 * x * x * x)));
}

std::string RunGelu(const Call& call, std::span<TensorValue> results) {
  const std::string_view approximate = TextAt(call, 1);
  if (approximate == "none") return Activate(call, results[0], Gelu);
  if (approximate == "tanh") return Activate(call, results[0], GeluByTanh);
  return "the approximation is neither 'none' nor 'tanh'";
}

std::string RunLogit(const Call& call, std::span<TensorValue> results) {
  const bool clamps = !IsNone(call, 1);
  const ScalarType type = FloatOf(TensorAt(call, 0).dtype);
  const double low = clamps ? RoundedStep(RealAt(call, 1), type) : 0;
  const double high = RoundedStep(1 - low, type);
  return Activate(call, results[0], [=](double x) {
    if (clamps) x = MinOrNan(MaxOrNan(x, low), high);
    return std::log(x / (1 - x));
  });
}

// The input's type, and which elements were kept.
Types DropoutTypes(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  return std::vector<TensorType>{input, {ScalarType::kBool, input.sizes}};
}

// Which elements are dropped is random: here all, but for a call that drops none.
std::string RunDropout(const Call& call, std::span<TensorValue> results) {
  const double p = RealAt(call, 1);
  if (!(p >= 0 && p <= 1)) return "the probability is outside 0 to 1";
  const bool trains = IsNone(call, 2) || BoolAt(call, 2);
  if (trains && p != 0) return {};
  const TensorValue& input = TensorAt(call, 0);
  ForEachElement(ElementCount(input), [&](int64_t i) {
    CopyElement(input, i, results[0], i);
    SetInt(results[1], i, 1);
  });
  return {};
}

constexpr OpMeaning kActivationMeanings[] = {
    Exact("aten::clamp.out", ElementwiseTypes<Admit::kReal, Itself, 0, 1, 2>, RunClamp<true>),
    Exact("aten::hardtanh.out", kActivationSame, RunClamp<false>),
    RoundedFor(kActivationLibm, "aten::elu.out", kActivationFloat, RunElu),
    RoundedFor(kActivationLibm, "aten::gelu.out", kActivationFloat, RunGelu),
    RoundedFor(kOneProduct, "aten::leaky_relu.out", kActivationFloat, RunLeakyRelu),
    RoundedFor(kActivationLibm, "aten::logit.out", kActivationFloat, RunLogit),
    {.name = "aten::native_dropout.out",
     .types = DropoutTypes,
     .run = RunDropout,
     .closeness = Closeness::kShape,
     .reason = "random"},
};

}  // namespace

std::span<const OpMeaning> ActivationMeanings() {
  return kActivationMeanings;
}

}  // namespace pteproof
