// Arithmetic on two tensors, or a tensor and a number, element by element.
#include <cmath>

#include "reference/ops/elementwise.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kAlpha = "kernels may fuse alpha times other with the sum";
constexpr std::string_view kBinaryLibm =
    "float kernels compute in the type, the reference in double";
constexpr std::string_view kComplexOrder = "complex products round in an order that is free";

constexpr TypeRule kBinaryAny = ElementwiseTypes<Admit::kAll, Itself, 0, 1>;
constexpr TypeRule kBinaryReal = ElementwiseTypes<Admit::kReal, Itself, 0, 1>;
constexpr TypeRule kBinaryFloat = ElementwiseTypes<Admit::kReal, FloatOf, 0, 1>;

struct Product {
  int64_t operator()(int64_t a, int64_t b) const { return WrappingMul(a, b); }
  double operator()(double a, double b) const { return a * b; }
  Complex operator()(Complex a, Complex b) const { return a * b; }
};

struct Angle {
  double operator()(double y, double x) const { return std::atan2(y, x); }
};

// a + alpha * b, or a - alpha * b. The product is rounded, and may overflow, before the sum.
struct WeightedSum {
  ScalarType type;
  Number alpha;
  bool subtracts;

  int64_t operator()(int64_t a, int64_t b) const {
    const int64_t weighted = WrappingMul(alpha.integer, b);
    return subtracts ? WrappingSub(a, weighted) : WrappingAdd(a, weighted);
  }
  double operator()(double a, double b) const {
    const double weighted = RoundedStep(alpha.real * b, type);
    return subtracts ? a - weighted : a + weighted;
  }
  Complex operator()(Complex a, Complex b) const {
    return subtracts ? a - alpha.real * b : a + alpha.real * b;
  }
};

// kFirst and kSecond: the operands that are `a` and `b` (rsub swaps them).
template <bool kSubtracts, size_t kFirst, size_t kSecond>
std::string RunSum(const Call& call, std::span<TensorValue> results) {
  const ScalarType common = CommonType(call, {0, 1});
  const Number alpha = NumberAt(call, 2);
  if (alpha.is_real() && !IsFloat(common) && !IsComplex(common)) {
    return "alpha is a float, and the operands are integers";
  }
  return Combine<kFirst, kSecond>(call, common, common, results[0],
                                  WeightedSum{common, alpha, kSubtracts});
}

// By squaring. A negative exponent gives the fraction's whole part: 0 but for 1 and -1.
int64_t IntegerPower(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  int64_t power = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power = WrappingMul(power, base);
    base = WrappingMul(base, base);
  }
  return power;
}

struct Power {
  int64_t operator()(int64_t a, int64_t b) const { return IntegerPower(a, b); }
  double operator()(double a, double b) const { return std::pow(a, b); }
};

constexpr OpMeaning kBinaryMeanings[] = {
    RoundedFor(kAlpha, "aten::add.out", kBinaryAny, RunSum<false, 0, 1>),
    RoundedFor(kAlpha, "aten::add.Scalar_out", kBinaryAny, RunSum<false, 0, 1>),
    RoundedFor(kAlpha, "aten::sub.out", kBinaryAny, RunSum<true, 0, 1>),
    RoundedFor(kAlpha, "aten::sub.Scalar_out", kBinaryAny, RunSum<true, 0, 1>),
    RoundedFor(kAlpha, "aten::rsub.Scalar_out", kBinaryAny, RunSum<true, 1, 0>),
    RoundedFor(kComplexOrder, "aten::mul.out", kBinaryAny, InCommon<Product, 0, 1>),
    RoundedFor(kComplexOrder, "aten::mul.Scalar_out", kBinaryAny, InCommon<Product, 0, 1>),
    Exact("aten::maximum.out", kBinaryReal, InCommon<Larger, 0, 1>),
    Exact("aten::minimum.out", kBinaryReal, InCommon<Smaller, 0, 1>),
    RoundedFor(kBinaryLibm, "aten::atan2.out", kBinaryFloat, InFloat<Angle, 0, 1>),
    RoundedFor(kBinaryLibm, "aten::pow.Tensor_Tensor_out", kBinaryReal, InCommon<Power, 0, 1>),
    RoundedFor(kBinaryLibm, "aten::pow.Tensor_Scalar_out", kBinaryReal, InCommon<Power, 0, 1>),
    RoundedFor(kBinaryLibm, "aten::pow.Scalar_out", kBinaryReal, InCommon<Power, 0, 1>),
};

}  // namespace

std::span<const OpMeaning> BinaryMeanings() {
  return kBinaryMeanings;
}

}  // namespace pteproof
