// Operators along one dimension whose results depend on all of a line.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/lines.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

// exp(x - largest) and its sum: infinities in the line give NaN.
template <bool kLog, class T>
void SoftmaxLine(const Line& from, const Line& to) {
  T largest = -std::numeric_limits<T>::infinity();
  ForEachBlock<T>(from, [&](const T* x, int64_t count, int64_t) {
    for (int64_t i = 0; i < count; ++i) largest = std::max(largest, x[i]);
  });
  double sum = 0;
  ForEachBlock<T>(from, [&](T* x, int64_t count, int64_t) {
    for (int64_t i = 0; i < count; ++i) x[i] = std::exp(x[i] - largest);
    for (int64_t i = 0; i < count; ++i) sum += x[i];
  });
  const auto logarithm = static_cast<T>(std::log(sum));
  const auto share = static_cast<T>(1 / sum);
  ForEachBlock<T>(from, [&](T* x, int64_t count, int64_t first) {
    for (int64_t i = 0; i < count; ++i) {
      x[i] = kLog ? x[i] - largest - logarithm : std::exp(x[i] - largest) * share;
    }
    StoreBlock(to.dtype, x, count, to.At(first), to.stride);
  });
}

// The same of float32, each exponential once: what they are divided by comes second.
void SoftmaxSingleLine(const Line& from, const Line& to) {
  const Routines& routines = BestRoutines();
  float largest = -std::numeric_limits<float>::infinity();
  ForEachBlock<float>(from, [&](const float* x, int64_t count, int64_t) {
    largest = std::max(largest, routines.largest(x, count));
  });
  double sum = 0;
  ForEachBlock<float>(from, [&](float* x, int64_t count, int64_t first) {
    sum += routines.exp_sum(x, largest, x, count);
    StoreBlock(to.dtype, x, count, to.At(first), to.stride);
  });
  const auto share = static_cast<float>(1 / sum);
  ForEachBlock<float>(to, [&](float* x, int64_t count, int64_t first) {
    for (int64_t i = 0; i < count; ++i) x[i] *= share;
    StoreBlock(to.dtype, x, count, to.At(first), to.stride);
  });
}

template <bool kLog>
KernelStatus Softmax(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t dim = DimensionOf(IntAt(call, 1), std::max<size_t>(self.rank(), 1));
  if (dim < 0) return kNoDimension;
  if (!IsRealType(self.dtype)) return "self must be of floats";
  if (IntAt(call, 2) != 0) return "half_to_float is not supported";
  if (ElementCount(self) == 0) return nullptr;
  const bool single = self.dtype == ScalarType::kFloat32;
  const bool both = single && OutOf(call).dtype == ScalarType::kFloat32;
  ForEachLine<2>({WholeOf(self), WholeOf(OutOf(call))}, dim, [&](const auto& lines) {
    if (both && !kLog) return SoftmaxSingleLine(lines[0], lines[1]);
    single ? SoftmaxLine<kLog, float>(lines[0], lines[1])
           : SoftmaxLine<kLog, double>(lines[0], lines[1]);
  });
  return nullptr;
}

// Running sums, in the result's kind of number.
template <class T>
void CumsumLine(const Line& from, const Line& to) {
  T sum = T();
  ForEachBlock<T>(from, [&](T* x, int64_t count, int64_t first) {
    if (from.dtype != to.dtype) RoundBlock(to.dtype, x, count);
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::integral<T>)
        sum = WrappedSum(sum, x[i]);
      else
        sum += x[i];
      x[i] = sum;
    }
    StoreBlock(to.dtype, x, count, to.At(first), to.stride);
  });
}

KernelStatus Cumsum(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const TensorRef& out = OutOf(call);
  const int64_t dim = DimensionOf(IntAt(call, 1), std::max<size_t>(self.rank(), 1));
  if (dim < 0) return kNoDimension;
  if (IsComplexType(out.dtype)) return "it is not defined for complex elements";
  if (ElementCount(self) == 0) return nullptr;
  const bool real = IsRealType(out.dtype);
  ForEachLine<2>({WholeOf(self), WholeOf(out)}, dim, [&](const auto& lines) {
    real ? CumsumLine<double>(lines[0], lines[1]) : CumsumLine<int64_t>(lines[0], lines[1]);
  });
  return nullptr;
}

KernelStatus SizesOfGlu(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  const int64_t dim = DimensionOf(IntAt(call, 1), sizes.rank);
  if (dim < 0) return kNoDimension;
  int64_t& halved = sizes.sizes[static_cast<size_t>(dim)];
  if (halved % 2 != 0) return "the dimension to halve is odd";
  halved /= 2;
  return ResizeTo(OutOf(call), sizes);
}

// The first half of a line, each element by the sigmoid of its partner in the second.
template <class T>
void GluLine(const Line& first, const Line& second, const Line& to) {
  std::array<T, kBlock> gates;
  ForEachBlock<T>(first, [&](T* x, int64_t count, int64_t at) {
    LoadBlock(second.dtype, second.At(at), second.stride, count, gates.data());
    for (int64_t i = 0; i < count; ++i) x[i] /= 1 + std::exp(-gates[static_cast<size_t>(i)]);
    StoreBlock(to.dtype, x, count, to.At(at), to.stride);
  });
}

KernelStatus Glu(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t dim = DimensionOf(IntAt(call, 1), self.rank());
  if (dim < 0) return kNoDimension;
  if (!IsRealType(self.dtype)) return "self must be of floats";
  const auto d = static_cast<size_t>(dim);
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  const int64_t half = self.sizes[d] / 2;
  Region first = WholeOf(self);
  Region second = first;
  Narrow(first, d, 0, half);
  Narrow(second, d, half, half);
  ForEachLine<3>({first, second, WholeOf(OutOf(call))}, dim, [&](const auto& lines) {
    self.dtype == ScalarType::kFloat32 ? GluLine<float>(lines[0], lines[1], lines[2])
                                       : GluLine<double>(lines[0], lines[1], lines[2]);
  });
  return nullptr;
}

constexpr Kernel kSoftmaxKernels[] = {
    {"aten::_softmax.out", AsFirst, Softmax<false>},
    {"aten::_log_softmax.out", AsFirst, Softmax<true>},
    {"aten::cumsum.out", AsFirst, Cumsum},
    {"aten::glu.out", SizesOfGlu, Glu},
};

}  // namespace

std::span<const Kernel> SoftmaxKernels() {
  return kSoftmaxKernels;
}

}  // namespace pteproof::kernels
