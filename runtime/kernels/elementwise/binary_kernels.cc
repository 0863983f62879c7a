// Arithmetic on two tensors, or a tensor and a number, element by element.
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"

namespace pteproof::kernels {
namespace {

constexpr auto kMul = []<class T>(T a, T b) {
  if constexpr (std::integral<T>)
    return WrappedProduct(a, b);
  else
    return a * b;
};
constexpr auto kMaximum = []<Ordered T>(T a, T b) { return LargerOrNan(a, b); };
constexpr auto kMinimum = []<Ordered T>(T a, T b) { return SmallerOrNan(a, b); };
constexpr auto kAtan2 = []<std::floating_point T>(T y, T x) { return std::atan2(y, x); };
constexpr auto kPow = []<Ordered T>(T a, T b) { return PowerOf(a, b); };

// a + alpha * b, or a - alpha * b. Kernels round the product, which may overflow, before the sum.
struct WeightedSum {
  ElementNumber alpha;
  bool subtracts;
  bool in_double;

  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::integral<T>) {
      const int64_t weighted = WrappedProduct(alpha.integer, b);
      return subtracts ? WrappedDifference(a, weighted) : WrappedSum(a, weighted);
    } else if constexpr (std::is_same_v<T, double>) {
      double weighted = alpha.real * b;
      if (!in_double) weighted = static_cast<double>(static_cast<float>(weighted));
      return subtracts ? a - weighted : a + weighted;
    } else {
      const T weighted = static_cast<typename Part<T>::Type>(alpha.real) * b;
      return subtracts ? a - weighted : a + weighted;
    }
  }

 private:
  template <class T>
  struct Part {
    using Type = T;
  };
  template <class T>
  struct Part<std::complex<T>> {
    using Type = T;
  };
};

// kFirst and kSecond: the operands that are `a` and `b`.
template <bool kSubtracts, size_t kFirst, size_t kSecond>
KernelStatus AddWeighted(const KernelCall& call) {
  const ScalarType common = CommonOf<0, 1>(call);
  ElementNumber alpha = NumberOf(*call.args[2]);
  if (alpha.is_real && IsIntegerType(common)) return "alpha is a float, and the operands are not";
  if (!alpha.is_real) alpha.real = static_cast<double>(alpha.integer);
  const WeightedSum sum = {alpha, kSubtracts, common == ScalarType::kFloat64};
  return Combine<kFirst, kSecond>(call, {common, common}, sum);
}

constexpr Kernel kBinaryKernels[] = {
    {"aten::add.out", AsSpread<0, 1>, AddWeighted<false, 0, 1>},
    {"aten::add.Scalar_out", AsFirst, AddWeighted<false, 0, 1>},
    {"aten::sub.out", AsSpread<0, 1>, AddWeighted<true, 0, 1>},
    {"aten::sub.Scalar_out", AsFirst, AddWeighted<true, 0, 1>},
    {"aten::rsub.Scalar_out", AsFirst, AddWeighted<true, 1, 0>},
    {"aten::mul.out", AsSpread<0, 1>, InCommon<kMul, 0, 1>},
    {"aten::mul.Scalar_out", AsFirst, InCommon<kMul, 0, 1>},
    {"aten::maximum.out", AsSpread<0, 1>, InCommon<kMaximum, 0, 1>},
    {"aten::minimum.out", AsSpread<0, 1>, InCommon<kMinimum, 0, 1>},
    {"aten::atan2.out", AsSpread<0, 1>, InFloat<kAtan2, 0, 1>},
    {"aten::pow.Tensor_Tensor_out", AsSpread<0, 1>, InCommon<kPow, 0, 1>},
    {"aten::pow.Tensor_Scalar_out", AsFirst, InCommon<kPow, 0, 1>},
    {"aten::pow.Scalar_out", AsSpread<0, 1>, InCommon<kPow, 0, 1>},
    {"aten::add_.Tensor", nullptr, AddWeighted<false, 0, 1>},
    {"aten::sub_.Tensor", nullptr, AddWeighted<true, 0, 1>},
    {"aten::mul_.Tensor", nullptr, InCommon<kMul, 0, 1>},
    {"aten::pow_.Tensor", nullptr, InCommon<kPow, 0, 1>},
    {"aten::add_.Scalar", nullptr, AddWeighted<false, 0, 1>},
    {"aten::sub_.Scalar", nullptr, AddWeighted<true, 0, 1>},
    {"aten::mul_.Scalar", nullptr, InCommon<kMul, 0, 1>},
    {"aten::pow_.Scalar", nullptr, InCommon<kPow, 0, 1>},
};

}  // namespace

std::span<const Kernel> BinaryKernels() {
  return kBinaryKernels;
}

}  // namespace pteproof::kernels
