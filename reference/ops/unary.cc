// Operators on one tensor, element by element.
#include <cmath>

#include "reference/ops/elementwise.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kUnaryLibm =
    "float kernels compute in the type, the reference in double";

// A function of doubles.
template <double (*Function)(double)>
struct Real {
  double operator()(double x) const { return Function(x); }
};

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Reciprocal(double x) {
  return 1 / x;
}
double ReciprocalRoot(double x) {
  return 1 / std::sqrt(x);
}

// Rounding to whole numbers leaves integers as they are, however large.
template <double (*Function)(double)>
struct Whole {
  int64_t operator()(int64_t x) const { return x; }
  double operator()(double x) const { return Function(x); }
};

struct Absolute {
  int64_t operator()(int64_t x) const { return x < 0 ? WrappingSub(0, x) : x; }
  double operator()(double x) const { return std::fabs(x); }
  Complex operator()(Complex x) const { return std::abs(x); }
};

struct Negative {
  int64_t operator()(int64_t x) const { return WrappingSub(0, x); }
  double operator()(double x) const { return -x; }
  Complex operator()(Complex x) const { return -x; }
};

// Of NaN NaN, as ExecuTorch has it; PyTorch says 0.
struct Sign {
  int64_t operator()(int64_t x) const { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }
  double operator()(double x) const {
    if (x == 0 || std::isnan(x)) return x;
    return x < 0 ? -1 : 1;
  }
};

struct Relu {
  int64_t operator()(int64_t x) const { return x < 0 ? 0 : x; }
  double operator()(double x) const { return x < 0 ? 0 : x; }
};

struct LogicalNot {
  bool operator()(int64_t x) const { return x == 0; }
  bool operator()(double x) const { return x == 0; }
  bool operator()(Complex x) const { return x == Complex(); }
};

struct IsNan {
  bool operator()(int64_t) const { return false; }
  bool operator()(double x) const { return std::isnan(x); }
};

struct IsInfinite {
  bool operator()(int64_t) const { return false; }
  bool operator()(double x) const { return std::isinf(x); }
};

struct Conjugate {
  int64_t operator()(int64_t x) const { return x; }
  double operator()(double x) const { return x; }
  Complex operator()(Complex x) const { return std::conj(x); }
};

struct BitwiseNot {
  int64_t operator()(int64_t x) const { return ~x; }
};

// All bits of a bool are its one bit.
std::string RunBitwiseNot(const Call& call, std::span<TensorValue> results) {
  if (TensorAt(call, 0).dtype == ScalarType::kBool) return ToBool<LogicalNot, 0>(call, results);
  return InCommon<BitwiseNot, 0>(call, results);
}

// The type of a complex number's parts.
ScalarType RealOf(ScalarType type) {
  if (type == ScalarType::kComplex32) return ScalarType::kFloat16;
  if (type == ScalarType::kComplex64) return ScalarType::kFloat32;
  return type == ScalarType::kComplex128 ? ScalarType::kFloat64 : type;
}

constexpr TypeRule kUnaryFloat = ElementwiseTypes<Admit::kReal, FloatOf, 0>;
constexpr TypeRule kUnarySame = ElementwiseTypes<Admit::kReal, Itself, 0>;
constexpr TypeRule kBool = ElementwiseTypes<Admit::kReal, AlwaysBool, 0>;
constexpr TypeRule kAnySame = ElementwiseTypes<Admit::kAll, Itself, 0>;

template <double (*Function)(double)>
constexpr OpMeaning Libm(std::string_view name) {
  return RoundedFor(kUnaryLibm, name, kUnaryFloat, InFloat<Real<Function>, 0>);
}

constexpr OpMeaning kUnaryMeanings[] = {
    Libm<std::acos>("aten::acos.out"),
    Libm<std::acosh>("aten::acosh.out"),
    Libm<std::asin>("aten::asin.out"),
    Libm<std::asinh>("aten::asinh.out"),
    Libm<std::atan>("aten::atan.out"),
    Libm<std::atanh>("aten::atanh.out"),
    Libm<std::cos>("aten::cos.out"),
    Libm<std::cosh>("aten::cosh.out"),
    Libm<std::erf>("aten::erf.out"),
    Libm<std::exp>("aten::exp.out"),
    Libm<std::expm1>("aten::expm1.out"),
    Libm<std::log>("aten::log.out"),
    Libm<std::log10>("aten::log10.out"),
    Libm<std::log1p>("aten::log1p.out"),
    Libm<std::log2>("aten::log2.out"),
    Libm<ReciprocalRoot>("aten::rsqrt.out"),
    Libm<Sigmoid>("aten::sigmoid.out"),
    Libm<std::sin>("aten::sin.out"),
    Libm<std::sinh>("aten::sinh.out"),
    Libm<std::tan>("aten::tan.out"),
    Libm<std::tanh>("aten::tanh.out"),
    // Rounded once from double, which is what a correctly rounding float operation gives.
    Exact("aten::reciprocal.out", kUnaryFloat, InFloat<Real<Reciprocal>, 0>),
    Exact("aten::sqrt.out", kUnaryFloat, InFloat<Real<std::sqrt>, 0>),
    Exact("aten::ceil.out", kUnarySame, InCommon<Whole<std::ceil>, 0>),
    Exact("aten::floor.out", kUnarySame, InCommon<Whole<std::floor>, 0>),
    // Halves to even, the default rounding mode.
    Exact("aten::round.out", kUnarySame, InCommon<Whole<std::nearbyint>, 0>),
    Exact("aten::trunc.out", kUnarySame, InCommon<Whole<std::trunc>, 0>),
    Exact("aten::abs.out", ElementwiseTypes<Admit::kAll, RealOf, 0>, InCommon<Absolute, 0>),
    Exact("aten::neg.out", kAnySame, InCommon<Negative, 0>),
    Exact("aten::_conj_physical.out", kAnySame, InCommon<Conjugate, 0>),
    Exact("aten::relu.out", kUnarySame, InCommon<Relu, 0>),
    Exact("aten::sign.out", kUnarySame, InCommon<Sign, 0>),
    Exact("aten::logical_not.out", ElementwiseTypes<Admit::kAll, AlwaysBool, 0>,
          ToBool<LogicalNot, 0>),
    Exact("aten::isinf.out", kBool, ToBool<IsInfinite, 0>),
    Exact("aten::isnan.out", kBool, ToBool<IsNan, 0>),
    Exact("aten::bitwise_not.out", ElementwiseTypes<Admit::kInteger, Itself, 0>, RunBitwiseNot),
};

}  // namespace

std::span<const OpMeaning> UnaryMeanings() {
  return kUnaryMeanings;
}

}  // namespace pteproof
