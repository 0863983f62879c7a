// Operators that choose or bound elements, and activations with numbers beside the tensor.
#include <cmath>
#include <numbers>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/elementwise/elementwise.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

// A number as elements of a type have it, or nothing.
struct Limit {
  bool given = false;
  int64_t integer = 0;
  double real = 0;

  template <class T>
  [[nodiscard]] T As() const {
    if constexpr (std::integral<T>)
      return integer;
    else
      return static_cast<T>(real);
  }
};

Limit LimitAt(const KernelCall& call, size_t a, ScalarType dtype) {
  if (IsNone(call, a)) return {};
  LoneElement slot;
  StoreElement(dtype, slot.bytes(), NumberOf(*call.args[a]));
  return {true, LoadOne<int64_t>(dtype, slot.pointer()), LoadOne<double>(dtype, slot.pointer())};
}

// The upper bound wins over a lower one above it.
struct ClampTo {
  Limit low;
  Limit high;

  template <Ordered T>
  T operator()(T x) const {
    if (low.given) x = LargerOrNan(x, low.As<T>());
    return high.given ? SmallerOrNan(x, high.As<T>()) : x;
  }
};

// Numbers of a higher category than the tensor's promote it, but for hardtanh.
template <bool kPromotes>
KernelStatus ClampByNumbers(const KernelCall& call) {
  const ScalarType type = kPromotes ? CommonOf<0, 1, 2>(call) : CommonOf<0>(call);
  return Combine<0>(call, {type, type}, ClampTo{LimitAt(call, 1, type), LimitAt(call, 2, type)});
}

constexpr auto kClamp = []<Ordered T>(T x, T low, T high) {
  return SmallerOrNan(LargerOrNan(x, low), high);
};
constexpr auto kAtLeast = []<Ordered T>(T x, T low) { return LargerOrNan(x, low); };
constexpr auto kAtMost = []<Ordered T>(T x, T high) { return SmallerOrNan(x, high); };

KernelStatus ClampByTensors(const KernelCall& call) {
  const ScalarType type = CommonOf<0, 1, 2>(call);
  if (IsNone(call, 1) && IsNone(call, 2)) return "neither bound is given";
  if (IsNone(call, 1)) return Combine<0, 2>(call, {type, type}, kAtMost);
  if (IsNone(call, 2)) return Combine<0, 1>(call, {type, type}, kAtLeast);
  return Combine<0, 1, 2>(call, {type, type}, kClamp);
}

// The condition is nothing but zero or not, so that it goes through any type.
constexpr auto kWhere = []<class T>(T condition, T yes, T no) {
  return condition != T() ? yes : no;
};

KernelStatus Where(const KernelCall& call) {
  const ScalarType condition = TensorAt(call, 0).dtype;
  if (condition != ScalarType::kBool && condition != ScalarType::kUInt8) {
    return "the condition is neither bool nor uint8";
  }
  const ScalarType type = CommonOf<1, 2>(call);
  return Combine<0, 1, 2>(call, {type, type}, kWhere);
}

constexpr auto kMaskedFill = []<class T>(T x, T mask, T value) { return mask != T() ? value : x; };

KernelStatus MaskedFill(const KernelCall& call) {
  const ScalarType type = TensorAt(call, 0).dtype;
  if (TensorAt(call, 1).dtype != ScalarType::kBool) return "the mask is not bool";
  return Combine<0, 1, 2>(call, {type, type}, kMaskedFill);
}

// --- Activations.

template <class Op>
KernelStatus Activate(const KernelCall& call, const Op& op) {
  const ScalarType type = FloatOf(TensorAt(call, 0).dtype);
  return Combine<0>(call, {type, type}, op);
}

double ScalarAt(const KernelCall& call, size_t a) {
  const ElementNumber number = NumberOf(*call.args[a]);
  return number.is_real ? number.real : static_cast<double>(number.integer);
}

KernelStatus Elu(const KernelCall& call) {
  const double positive = ScalarAt(call, 2);
  const double negative = ScalarAt(call, 1) * positive;
  const double inner = ScalarAt(call, 3);
  return Activate(call, [=]<std::floating_point T>(T x) {
    return x <= 0 ? T(negative) * std::expm1(x * T(inner)) : T(positive) * x;
  });
}

KernelStatus LeakyRelu(const KernelCall& call) {
  const double slope = ScalarAt(call, 1);
  return Activate(call, [=]<std::floating_point T>(T x) { return x > 0 ? x : T(slope) * x; });
}

// In float32 by the loops for that.
struct GeluOp {
  template <std::floating_point T>
  T operator()(T x) const {
    return x * T(0.5) * (1 + std::erf(x / std::numbers::sqrt2_v<T>));
  }
  void ForBlock(const float* from, float* to, int64_t count) const {
    BestRoutines().gelu(from, to, count);
  }
};
struct GeluByTanhOp {
  template <std::floating_point T>
  T operator()(T x) const {
    const T scale = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
    return x * T(0.5) * (1 + std::tanh(scale * (x + T(0.044715) * x * x * x)));
  }
  void ForBlock(const float* from, float* to, int64_t count) const {
    BestRoutines().gelu_by_tanh(from, to, count);
  }
};

KernelStatus Gelu(const KernelCall& call) {
  const std::string_view approximate = call.args[1]->text;
  if (approximate == "none") return Activate(call, GeluOp());
  if (approximate == "tanh") return Activate(call, GeluByTanhOp());
  return "the approximation is neither 'none' nor 'tanh'";
}

// The bounds are rounded as kernels hold them.
KernelStatus Logit(const KernelCall& call) {
  const bool clamps = !IsNone(call, 1);
  const bool in_double = FloatOf(TensorAt(call, 0).dtype) == ScalarType::kFloat64;
  double low = clamps ? ScalarAt(call, 1) : 0;
  if (!in_double) low = static_cast<double>(static_cast<float>(low));
  double high = 1 - low;
  if (!in_double) high = static_cast<double>(static_cast<float>(high));
  return Activate(call, [=]<std::floating_point T>(T x) {
    if (clamps) x = SmallerOrNan(LargerOrNan(x, static_cast<T>(low)), static_cast<T>(high));
    return std::log(x / (1 - x));
  });
}

// The input's sizes, and which elements are kept.
KernelStatus SizesOfDropout(const KernelCall& call) {
  const Region sizes = WholeOf(TensorAt(call, 0));
  const KernelStatus status = ResizeTo(TensorAt(call, 3), sizes);
  return status != nullptr ? status : ResizeTo(TensorAt(call, 4), sizes);
}

// Which elements are dropped is free: all are, but by a call that drops none.
KernelStatus Dropout(const KernelCall& call) {
  const ElementNumber given = NumberOf(*call.args[1]);
  const double p = given.is_real ? given.real : static_cast<double>(given.integer);
  if (!(p >= 0 && p <= 1)) return "the probability is outside 0 to 1";
  const bool trains = IsNone(call, 2) || IntAt(call, 2) != 0;
  const bool drops = trains && p != 0;
  const Region input = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(TensorAt(call, 3));
  const Region kept = WholeOf(TensorAt(call, 4));
  ForEachPlace(WalkOf(input, out, kept), [&](const auto& at) {
    if (drops) {
      StoreElement(out.dtype, at[1], {});
    } else {
      CopyConverted(input.dtype, at[0], out.dtype, at[1]);
    }
    StoreElement(kept.dtype, at[2], {.integer = drops ? 0 : 1});
  });
  return nullptr;
}

constexpr Kernel kChoiceKernels[] = {
    {"aten::native_dropout.out", SizesOfDropout, Dropout},
    {"aten::clamp.out", AsFirst, ClampByNumbers<true>},
    {"aten::hardtanh.out", AsFirst, ClampByNumbers<false>},
    {"aten::clamp.Tensor_out", AsSpread<0, 1, 2>, ClampByTensors},
    {"aten::where.self_out", AsSpread<0, 1, 2>, Where},
    {"aten::masked_fill.Scalar_out", AsSpread<0, 1>, MaskedFill},
    {"aten::elu.out", AsFirst, Elu},
    {"aten::leaky_relu.out", AsFirst, LeakyRelu},
    {"aten::gelu.out", AsFirst, Gelu},
    {"aten::logit.out", AsFirst, Logit},
    {"aten::clamp_", nullptr, ClampByNumbers<true>},
    {"aten::hardtanh_", nullptr, ClampByNumbers<false>},
    {"aten::masked_fill_.Scalar", nullptr, MaskedFill},
    {"aten::elu_", nullptr, Elu},
    {"aten::leaky_relu_", nullptr, LeakyRelu},
    {"aten::gelu_", nullptr, Gelu},
};

}  // namespace

std::span<const Kernel> ChoiceKernels() {
  return kChoiceKernels;
}

}  // namespace pteproof::kernels
