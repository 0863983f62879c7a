// Operators on one tensor, element by element.
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

// In float32 by the loops for that.
struct SigmoidOp {
  template <std::floating_point T>
  T operator()(T x) const {
    return 1 / (1 + std::exp(-x));
  }
  void ForBlock(const float* from, float* to, int64_t count) const {
    BestRoutines().sigmoid(from, to, count);
  }
};
struct ExpOp {
  template <std::floating_point T>
  T operator()(T x) const {
    return std::exp(x);
  }
  void ForBlock(const float* from, float* to, int64_t count) const {
    BestRoutines().exp(from, to, count);
  }
};
struct TanhOp {
  template <std::floating_point T>
  T operator()(T x) const {
    return std::tanh(x);
  }
  void ForBlock(const float* from, float* to, int64_t count) const {
    BestRoutines().tanh(from, to, count);
  }
};
constexpr SigmoidOp kSigmoid;
constexpr ExpOp kExp;
constexpr TanhOp kTanh;
constexpr auto kReciprocal = []<std::floating_point T>(T x) { return 1 / x; };
constexpr auto kReciprocalRoot = []<std::floating_point T>(T x) { return 1 / std::sqrt(x); };
constexpr auto kAcos = []<std::floating_point T>(T x) { return std::acos(x); };
constexpr auto kAcosh = []<std::floating_point T>(T x) { return std::acosh(x); };
constexpr auto kAsin = []<std::floating_point T>(T x) { return std::asin(x); };
constexpr auto kAsinh = []<std::floating_point T>(T x) { return std::asinh(x); };
constexpr auto kAtan = []<std::floating_point T>(T x) { return std::atan(x); };
constexpr auto kAtanh = []<std::floating_point T>(T x) { return std::atanh(x); };
constexpr auto kCos = []<std::floating_point T>(T x) { return std::cos(x); };
constexpr auto kCosh = []<std::floating_point T>(T x) { return std::cosh(x); };
constexpr auto kErf = []<std::floating_point T>(T x) { return std::erf(x); };
constexpr auto kExpm1 = []<std::floating_point T>(T x) { return std::expm1(x); };
constexpr auto kLog = []<std::floating_point T>(T x) { return std::log(x); };
constexpr auto kLog10 = []<std::floating_point T>(T x) { return std::log10(x); };
constexpr auto kLog1p = []<std::floating_point T>(T x) { return std::log1p(x); };
constexpr auto kLog2 = []<std::floating_point T>(T x) { return std::log2(x); };
constexpr auto kSin = []<std::floating_point T>(T x) { return std::sin(x); };
constexpr auto kSinh = []<std::floating_point T>(T x) { return std::sinh(x); };
constexpr auto kSqrt = []<std::floating_point T>(T x) { return std::sqrt(x); };
constexpr auto kTan = []<std::floating_point T>(T x) { return std::tan(x); };

// Integers are whole, however large.
constexpr auto kCeil = []<Ordered T>(T x) {
  if constexpr (std::integral<T>)
    return x;
  else
    return std::ceil(x);
};
constexpr auto kFloor = []<Ordered T>(T x) {
  if constexpr (std::integral<T>)
    return x;
  else
    return std::floor(x);
};
constexpr auto kTrunc = []<Ordered T>(T x) {
  if constexpr (std::integral<T>)
    return x;
  else
    return std::trunc(x);
};
// Halves to even: the rounding mode that nobody changes.
constexpr auto kRound = []<Ordered T>(T x) {
  if constexpr (std::integral<T>)
    return x;
  else
    return std::nearbyint(x);
};

constexpr auto kAbs = []<class T>(T x) {
  if constexpr (std::integral<T>)
    return x < 0 ? WrappedDifference(0, x) : x;
  else
    return T(std::abs(x));
};
constexpr auto kNeg = []<class T>(T x) {
  if constexpr (std::integral<T>)
    return WrappedDifference(0, x);
  else
    return -x;
};
// Of NaN NaN.
constexpr auto kSign = []<Ordered T>(T x) {
  if (!(x < 0) && !(x > 0)) return x;
  return x < 0 ? T(-1) : T(1);
};
constexpr auto kRelu = []<Ordered T>(T x) { return x < 0 ? T(0) : x; };
constexpr auto kLogicalNot = []<class T>(T x) { return x == T(); };
constexpr auto kBitwiseNot = []<std::integral T>(T x) { return ~x; };
constexpr auto kIsNan = []<Ordered T>(T x) { return x != x; };  // NOLINT: NaN differs from itself
constexpr auto kIsInf = []<Ordered T>(T x) {
  if constexpr (std::integral<T>)
    return false;
  else
    return bool(std::isinf(x));
};

constexpr auto kConjugate = []<class T>(T x) {
  if constexpr (std::is_same_v<T, Complex>)
    return std::conj(x);
  else
    return x;
};

// All bits of a bool are its one bit.
KernelStatus BitwiseNot(const KernelCall& call) {
  if (TensorAt(call, 0).dtype == ScalarType::kBool) return ToBool<kLogicalNot, 0>(call);
  return InCommon<kBitwiseNot, 0>(call);
}

template <auto kOp>
constexpr Kernel FloatRow(std::string_view name) {
  return {name, AsFirst, InFloat<kOp, 0>};
}
template <auto kOp>
constexpr Kernel SameRow(std::string_view name) {
  return {name, AsFirst, InCommon<kOp, 0>};
}
template <auto kOp>
constexpr Kernel BoolRow(std::string_view name) {
  return {name, AsFirst, ToBool<kOp, 0>};
}

template <auto kOp>
constexpr Kernel FloatInPlace(std::string_view name) {
  return {name, nullptr, InFloat<kOp, 0>};
}
template <auto kOp>
constexpr Kernel SameInPlace(std::string_view name) {
  return {name, nullptr, InCommon<kOp, 0>};
}

constexpr Kernel kUnaryKernels[] = {
    FloatRow<kAcos>("aten::acos.out"),
    FloatRow<kAcosh>("aten::acosh.out"),
    FloatRow<kAsin>("aten::asin.out"),
    FloatRow<kAsinh>("aten::asinh.out"),
    FloatRow<kAtan>("aten::atan.out"),
    FloatRow<kAtanh>("aten::atanh.out"),
    FloatRow<kCos>("aten::cos.out"),
    FloatRow<kCosh>("aten::cosh.out"),
    FloatRow<kErf>("aten::erf.out"),
    FloatRow<kExp>("aten::exp.out"),
    FloatRow<kExpm1>("aten::expm1.out"),
    FloatRow<kLog>("aten::log.out"),
    FloatRow<kLog10>("aten::log10.out"),
    FloatRow<kLog1p>("aten::log1p.out"),
    FloatRow<kLog2>("aten::log2.out"),
    FloatRow<kReciprocal>("aten::reciprocal.out"),
    FloatRow<kReciprocalRoot>("aten::rsqrt.out"),
    FloatRow<kSigmoid>("aten::sigmoid.out"),
    FloatRow<kSin>("aten::sin.out"),
    FloatRow<kSinh>("aten::sinh.out"),
    FloatRow<kSqrt>("aten::sqrt.out"),
    FloatRow<kTan>("aten::tan.out"),
    FloatRow<kTanh>("aten::tanh.out"),
    SameRow<kAbs>("aten::abs.out"),
    SameRow<kCeil>("aten::ceil.out"),
    SameRow<kConjugate>("aten::_conj_physical.out"),
    SameRow<kFloor>("aten::floor.out"),
    SameRow<kNeg>("aten::neg.out"),
    SameRow<kRelu>("aten::relu.out"),
    SameRow<kRound>("aten::round.out"),
    SameRow<kSign>("aten::sign.out"),
    SameRow<kTrunc>("aten::trunc.out"),
    BoolRow<kLogicalNot>("aten::logical_not.out"),
    BoolRow<kIsInf>("aten::isinf.out"),
    BoolRow<kIsNan>("aten::isnan.out"),
    {"aten::bitwise_not.out", AsFirst, BitwiseNot},
    FloatInPlace<kCos>("aten::cos_"),
    FloatInPlace<kErf>("aten::erf_"),
    FloatInPlace<kExp>("aten::exp_"),
    FloatInPlace<kLog>("aten::log_"),
    FloatInPlace<kReciprocal>("aten::reciprocal_"),
    FloatInPlace<kReciprocalRoot>("aten::rsqrt_"),
    FloatInPlace<kSigmoid>("aten::sigmoid_"),
    FloatInPlace<kSin>("aten::sin_"),
    FloatInPlace<kSqrt>("aten::sqrt_"),
    FloatInPlace<kTanh>("aten::tanh_"),
    SameInPlace<kAbs>("aten::abs_"),
    SameInPlace<kCeil>("aten::ceil_"),
    SameInPlace<kFloor>("aten::floor_"),
    SameInPlace<kNeg>("aten::neg_"),
    SameInPlace<kRelu>("aten::relu_"),
    SameInPlace<kRound>("aten::round_"),
    SameInPlace<kSign>("aten::sign_"),
    SameInPlace<kTrunc>("aten::trunc_"),
    {"aten::logical_not_", nullptr, ToBool<kLogicalNot, 0>},
    {"aten::bitwise_not_", nullptr, BitwiseNot},
};

}  // namespace

std::span<const Kernel> UnaryKernels() {
  return kUnaryKernels;
}

}  // namespace pteproof::kernels
