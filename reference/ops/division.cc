// Quotients and remainders of two tensors, or a tensor and a number, element by element.
#include <cmath>
#include <limits>

#include "reference/ops/elementwise.h"
#include "reference/ops/quotient.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kInType = "kernels round the steps, some of them in float32";

constexpr TypeRule kDivided = ElementwiseTypes<Admit::kReal, Itself, 0, 1>;
constexpr TypeRule kQuotient = ElementwiseTypes<Admit::kAll, FloatOf, 0, 1>;

struct Quotient {
  double operator()(double a, double b) const { return a / b; }
  Complex operator()(Complex a, Complex b) const { return a / b; }
};

// The quotient is rounded before it is truncated.
struct Truncated {
  ScalarType type;

  int64_t operator()(int64_t a, int64_t b) const { return TruncatedQuotient(a, b); }
  double operator()(double a, double b) const { return std::trunc(RoundedStep(a / b, type)); }
};

struct Floored {
  int64_t operator()(int64_t a, int64_t b) const { return FlooredQuotient(a, b); }
  double operator()(double a, double b) const { return FlooredQuotient(a, b); }
};

struct Remainder {
  int64_t operator()(int64_t a, int64_t b) const { return FlooredRemainder(a, b); }
  double operator()(double a, double b) const { return FlooredRemainder(a, b); }
};

// The remainder of the division towards zero.
struct Fmod {
  ScalarType type;

  int64_t operator()(int64_t a, int64_t b) const {
    if (b != 0) return TruncatedRemainder(a, b);
    // ExecuTorch goes through floats: the NaN becomes the least number, as x86-64 converts.
    return type == ScalarType::kInt64 ? std::numeric_limits<int64_t>::min()
                                      : std::numeric_limits<int32_t>::min();
  }
  double operator()(double a, double b) const { return std::fmod(a, b); }
};

// Whether integers are divided by a zero.
bool DividesByZero(const Call& call, ScalarType common, std::span<const int64_t> sizes) {
  if (IsFloat(common) || IsComplex(common)) return false;
  const TensorValue divisors = OperandAs(call, 1, common, sizes);
  bool any = false;
  ForEachElement(ElementCount(divisors), [&](int64_t i) { any = any || IntAt(divisors, i) == 0; });
  return any;
}

template <class Op>
std::string Divide(const Call& call, TensorValue& result, const Op& op) {
  const ScalarType common = CommonType(call, {0, 1});
  if (DividesByZero(call, common, result.sizes)) return "an integer is divided by zero";
  return Combine<0, 1>(call, common, common, result, op);
}

template <class Op>
std::string RunDivide(const Call& call, std::span<TensorValue> results) {
  return Divide(call, results[0], Op{});
}

std::string RunFmod(const Call& call, std::span<TensorValue> results) {
  const ScalarType common = CommonType(call, {0, 1});
  return Combine<0, 1>(call, common, common, results[0], Fmod{common});
}

std::string RunFmodByNumber(const Call& call, std::span<TensorValue> results) {
  return Divide(call, results[0], Fmod{CommonType(call, {0, 1})});
}

Types ModeTypes(const TypeCall& call) {
  return IsNone(call, 2) ? kQuotient(call) : kDivided(call);
}

std::string RunMode(const Call& call, std::span<TensorValue> results) {
  if (IsNone(call, 2)) return InFloat<Quotient, 0, 1>(call, results);
  const std::string_view mode = TextAt(call, 2);
  if (mode == "floor") return Divide(call, results[0], Floored{});
  if (mode != "trunc") return "the rounding mode is neither 'floor' nor 'trunc'";
  return Divide(call, results[0], Truncated{CommonType(call, {0, 1})});
}

constexpr OpMeaning kDivisionMeanings[] = {
    RoundedFor(kInType, "aten::div.out", kQuotient, InFloat<Quotient, 0, 1>),
    RoundedFor(kInType, "aten::div.Scalar_out", kQuotient, InFloat<Quotient, 0, 1>),
    RoundedFor(kInType, "aten::div.out_mode", ModeTypes, RunMode),
    RoundedFor(kInType, "aten::div.Scalar_mode_out", ModeTypes, RunMode),
    RoundedFor(kInType, "aten::floor_divide.out", kDivided, RunDivide<Floored>),
    RoundedFor(kInType, "aten::remainder.Tensor_out", kDivided, RunDivide<Remainder>),
    RoundedFor(kInType, "aten::remainder.Scalar_out", kDivided, RunDivide<Remainder>),
    RoundedFor(kInType, "aten::fmod.Tensor_out", kDivided, RunFmod),
    RoundedFor(kInType, "aten::fmod.Scalar_out", kDivided, RunFmodByNumber),
};

}  // namespace

std::span<const OpMeaning> DivisionMeanings() {
  return kDivisionMeanings;
}

}  // namespace pteproof
