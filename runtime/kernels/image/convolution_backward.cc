// The gradients of a convolution. That of the input is a convolution itself: of the result's
// gradient with the same weight, transposed where the first one was not, and the other way round.
// That of the weight is a sum over all places of the result for each of its elements, that of the
// bias one over each channel.
#include <algorithm>
#include <array>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/image/convolution.h"

namespace pteproof::kernels {
namespace {

// Arguments.
constexpr size_t kResultGradient = 0;
constexpr size_t kConvolvedInput = 1;
constexpr size_t kConvolvedWeight = 2;
constexpr size_t kFirstAttribute = 4;
constexpr size_t kWantedGradients = 10;
constexpr size_t kFirstGradient = 11;

bool IsWanted(const KernelCall& call, size_t result) {
  return call.args[kWantedGradients]->flags[result] != 0;
}

KernelStatus SizesOfGradients(const KernelCall& call) {
  const TensorRef& gradient = TensorAt(call, kResultGradient);
  const TensorRef& input = TensorAt(call, kConvolvedInput);
  const TensorRef& weight = TensorAt(call, kConvolvedWeight);
  Convolution convolution;
  KernelStatus status = ConvolutionAt(call, kFirstAttribute, weight, convolution);
  Region sizes = WholeOf(input);
  if (status == nullptr) status = ConvolvedSizes(weight, convolution, sizes);
  if (status != nullptr) return status;
  const auto expected = std::span(sizes.sizes).first(sizes.rank);
  if (!std::ranges::equal(gradient.sizes, expected)) {
    return "the gradient does not have the result's sizes";
  }
  if (call.args[kWantedGradients]->flags.size() != 3)
    return "the output mask must have three entries";
  std::array<Region, 3> results = {WholeOf(input), WholeOf(weight), {}};
  results[2].rank = 1;
  results[2].sizes[0] = sizes.sizes[1];
  for (size_t r = 0; r < 3; ++r) {
    if (!IsWanted(call, r)) {
      results[r].rank = 1;
      results[r].sizes[0] = 0;
    }
    status = ResizeTo(TensorAt(call, kFirstGradient + r), results[r]);
    if (status != nullptr) return status;
  }
  return nullptr;
}

template <class T>
T SumOfProducts(T sum, T a, T b) {
  if constexpr (std::integral<T>)
    return WrappedSum(sum, WrappedProduct(a, b));
  else
    return sum + a * b;
}

// Images whose elements are packed.
template <class T>
struct PackedImages {
  LentNumbers<T> numbers;
  Region sizes;

  [[nodiscard]] LentNumbers<T> Row(int64_t n, int64_t c, int64_t y) const {
    const int64_t row = (n * sizes.sizes[1] + c) * sizes.sizes[2] + y;
    return numbers.Part(row * sizes.sizes[3], sizes.sizes[3]);
  }
};

// What place (r, c) of the kernel has seen between two channels: where `small` has a place, `large`
// has the one that the window reaches from it.
template <class T>
T SeenBetween(const PackedImages<T>& small, int64_t small_channel, const PackedImages<T>& large,
              int64_t large_channel, const Window& window, int64_t r, int64_t c, CallWork& work) {
  T sum = T();
  for (int64_t n = 0; n < small.sizes.sizes[0]; ++n) {
    for (int64_t y = 0; y < small.sizes.sizes[2]; ++y) {
      const int64_t row = window.Start(0, y) + r * window.dilation[0];
      work.Take(1 + small.sizes.sizes[3]);
      if (row < 0 || row >= large.sizes.sizes[2]) continue;
      const auto from = small.Row(n, small_channel, y);
      const auto seen = large.Row(n, large_channel, row);
      for (int64_t x = 0; x < small.sizes.sizes[3]; ++x) {
        const int64_t column = window.Start(1, x) + c * window.dilation[1];
        if (column < 0 || column >= large.sizes.sizes[3]) continue;
        sum = SumOfProducts(sum, from[x], seen[column]);
      }
    }
  }
  return sum;
}

// The small images are the result's, or of a transposed convolution the input's; they have a
// channel for each of the weight's first dimension.
template <class T>
KernelStatus WeightGradient(const KernelCall& call, const Convolution& convolution) {
  PackedImages<T> small = {{}, AsImage(WholeOf(TensorAt(call, kResultGradient)))};
  PackedImages<T> large = {{}, AsImage(WholeOf(TensorAt(call, kConvolvedInput)))};
  if (convolution.transposed) std::swap(small.sizes, large.sizes);
  small.numbers = Packed<T>(small.sizes, *call.scratch);
  large.numbers = Packed<T>(large.sizes, *call.scratch);
  if (!small.numbers.given() || !large.numbers.given()) return kNoMemory;
  const Region out = AsImage(WholeOf(TensorAt(call, kFirstGradient + 1)));
  if (CountIn(out) == 0) return nullptr;
  const int64_t per_group = out.sizes[0] / convolution.groups;
  for (int64_t a = 0; a < out.sizes[0]; ++a) {
    for (int64_t b = 0; b < out.sizes[1]; ++b) {
      const int64_t partner = a / per_group * out.sizes[1] + b;
      for (int64_t k = 0; k < out.sizes[2] * out.sizes[3]; ++k) {
        call.scratch->work().Take(1 + small.sizes.sizes[0]);
        const int64_t r = k / out.sizes[3];
        const int64_t c = k % out.sizes[3];
        const T seen =
            SeenBetween(small, a, large, partner, convolution.window, r, c, call.scratch->work());
        StoreOne(out.dtype, seen, PixelOf(out, a, b, r, c));
      }
    }
  }
  return nullptr;
}

template <class T>
void BiasGradient(const KernelCall& call) {
  const Region gradient = AsImage(WholeOf(TensorAt(call, kResultGradient)));
  const Region out = WholeOf(TensorAt(call, kFirstGradient + 2));
  for (int64_t c = 0; c < out.sizes[0]; ++c) {
    T sum = T();
    Region channel = gradient;
    Select(channel, 1, c);
    ForEachPlace(Walked<1>({channel}), [&](const auto& at) {
      sum = SumOfProducts(sum, LoadOne<T>(gradient.dtype, at[0]), T(1));
    });
    StoreOne(out.dtype, sum, out.data + c * out.strides[0]);
  }
}

template <class T>
KernelStatus GradientsIn(const KernelCall& call, const Convolution& convolution) {
  if (IsWanted(call, 0)) {
    Convolution back = convolution;
    back.transposed = !convolution.transposed;
    const Images images = {AsImage(WholeOf(TensorAt(call, kResultGradient))),
                           AsImage(WholeOf(TensorAt(call, kConvolvedWeight))),
                           AsImage(WholeOf(TensorAt(call, kFirstGradient))),
                           {}};
    if (const auto status = ConvolveImages(images, back, *call.scratch)) return status;
    call.scratch->TakeBack();
  }
  if (IsWanted(call, 1)) {
    if (const auto status = WeightGradient<T>(call, convolution)) return status;
  }
  if (IsWanted(call, 2)) BiasGradient<T>(call);
  return nullptr;
}

KernelStatus ConvolutionBackward(const KernelCall& call) {
  Convolution convolution;
  const TensorRef& weight = TensorAt(call, kConvolvedWeight);
  const KernelStatus status = ConvolutionAt(call, kFirstAttribute, weight, convolution);
  if (status != nullptr) return status;
  if (TensorAt(call, kResultGradient).dtype != weight.dtype ||
      TensorAt(call, kConvolvedInput).dtype != weight.dtype) {
    return "the operands have different element types";
  }
  if (IsComplexType(weight.dtype)) return "it is not defined for complex elements";
  return IsRealType(weight.dtype) ? GradientsIn<double>(call, convolution)
                                  : GradientsIn<int64_t>(call, convolution);
}

constexpr Kernel kConvolutionBackwardKernels[] = {
    {"aten::convolution_backward.out", SizesOfGradients, ConvolutionBackward},
};

}  // namespace

std::span<const Kernel> ConvolutionBackwardKernels() {
  return kConvolutionBackwardKernels;
}

}  // namespace pteproof::kernels
