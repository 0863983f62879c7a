// Quotients and remainders, element by element.
#include <cmath>
#include <limits>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/elementwise/elementwise.h"

namespace pteproof::kernels {
namespace {

constexpr auto kQuotient = []<class T>(T a, T b)
  requires(!std::integral<T>)
{ return a / b; };
constexpr auto kFlooredQuotient = []<Ordered T>(T a, T b) { return FlooredDivision(a, b); };
constexpr auto kFlooredRest = []<Ordered T>(T a, T b) { return FlooredRest(a, b); };

// Kernels round the quotient before they truncate it.
struct TruncatedQuotient {
  bool in_double;

  template <Ordered T>
  T operator()(T a, T b) const {
    if constexpr (std::integral<T>) {
      return TruncatedDivision(a, b);
    } else {
      T quotient = a / b;
      if (!in_double) quotient = static_cast<T>(static_cast<float>(quotient));
      return std::trunc(quotient);
    }
  }
};

// ExecuTorch's goes through floats: of 0 its NaN becomes the least number, as x86-64 converts.
struct TruncatedRemainder {
  int64_t of_zero;

  template <Ordered T>
  T operator()(T a, T b) const {
    if constexpr (std::integral<T>) {
      if (b == 0) return of_zero;
    }
    return TruncatedRest(a, b);
  }
};

TruncatedRemainder RemainderOf(ScalarType common) {
  const bool wide = common == ScalarType::kInt64;
  return {wide ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min()};
}

// Whether integers are divided by a zero.
bool DividesByZero(const KernelCall& call, ScalarType common) {
  if (!IsIntegerType(common)) return false;
  const TensorRef* divisor = TensorOrNull(call, 1);
  if (divisor == nullptr) {
    LoneElement number;
    StoreElement(common, number.bytes(), NumberOf(*call.args[1]));
    return LoadOne<int64_t>(common, number.pointer()) == 0;
  }
  bool zero = false;
  ForEachPlace(Walked<1>({WholeOf(*divisor)}), [&](const auto& at) {
    int64_t number = LoadOne<int64_t>(divisor->dtype, at[0]);
    RoundBlock(common, &number, 1);
    zero = zero || number == 0;
  });
  return zero && ElementCount(ResultOf(call)) > 0;
}

// An operator on elements that notes integers which it should divide by zero, and gives 0 for them.
template <class Op>
struct NotingZeros {
  Op op;
  bool* zero;

  template <Ordered T>
  T operator()(T a, T b) const {
    if constexpr (std::integral<T>) {
      if (b == 0) *zero = true;
      if (b == 0) return 0;
    }
    return op(a, b);
  }
};

// No zero is divided by if one is there before. A result that lies over the divisor may make more.
template <class Op>
KernelStatus DivideBy(const KernelCall& call, ScalarType common, const Op& op) {
  bool zero = DividesByZero(call, common);
  KernelStatus status = nullptr;
  if (!zero) status = Combine<0, 1>(call, {common, common}, NotingZeros<Op>{op, &zero});
  return zero ? "an integer is divided by zero" : status;
}

KernelStatus DivideInMode(const KernelCall& call) {
  if (IsNone(call, 2)) return InFloat<kQuotient, 0, 1>(call);
  const std::string_view mode = call.args[2]->text;
  const ScalarType common = CommonOf<0, 1>(call);
  if (mode == "floor") return DivideBy(call, common, kFlooredQuotient);
  if (mode != "trunc") return "the rounding mode is neither 'floor' nor 'trunc'";
  return DivideBy(call, common, TruncatedQuotient{common == ScalarType::kFloat64});
}

template <auto kOp>
KernelStatus DivideInCommon(const KernelCall& call) {
  const decltype(kOp) op{};
  return DivideBy(call, CommonOf<0, 1>(call), op);
}

KernelStatus FmodByTensor(const KernelCall& call) {
  const ScalarType common = CommonOf<0, 1>(call);
  return Combine<0, 1>(call, {common, common}, RemainderOf(common));
}

KernelStatus FmodByNumber(const KernelCall& call) {
  const ScalarType common = CommonOf<0, 1>(call);
  return DivideBy(call, common, RemainderOf(common));
}

constexpr Kernel kDivisionKernels[] = {
    {"aten::div.out", AsSpread<0, 1>, InFloat<kQuotient, 0, 1>},
    {"aten::div.Scalar_out", AsFirst, InFloat<kQuotient, 0, 1>},
    {"aten::div.out_mode", AsSpread<0, 1>, DivideInMode},
    {"aten::div.Scalar_mode_out", AsFirst, DivideInMode},
    {"aten::floor_divide.out", AsSpread<0, 1>, DivideInCommon<kFlooredQuotient>},
    {"aten::remainder.Tensor_out", AsSpread<0, 1>, DivideInCommon<kFlooredRest>},
    {"aten::remainder.Scalar_out", AsFirst, DivideInCommon<kFlooredRest>},
    {"aten::fmod.Tensor_out", AsSpread<0, 1>, FmodByTensor},
    {"aten::fmod.Scalar_out", AsFirst, FmodByNumber},
    {"aten::div_.Tensor", nullptr, InFloat<kQuotient, 0, 1>},
    {"aten::div_.Scalar", nullptr, InFloat<kQuotient, 0, 1>},
    {"aten::div_.Tensor_mode", nullptr, DivideInMode},
    {"aten::remainder_.Tensor", nullptr, DivideInCommon<kFlooredRest>},
    {"aten::remainder_.Scalar", nullptr, DivideInCommon<kFlooredRest>},
};

}  // namespace

std::span<const Kernel> DivisionKernels() {
  return kDivisionKernels;
}

}  // namespace pteproof::kernels
