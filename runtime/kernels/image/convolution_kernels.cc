// Convolutions of one and two dimensions, and transposed ones.
#include <algorithm>
#include <limits>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/image/convolution.h"

namespace pteproof::kernels {
namespace {

KernelStatus SizesOfConvolution(const KernelCall& call) {
  Convolution convolution;
  const TensorRef& weight = TensorAt(call, 1);
  KernelStatus status = ConvolutionAt(call, 3, weight, convolution);
  if (status != nullptr) return status;
  Region sizes = WholeOf(TensorAt(call, 0));
  status = ConvolvedSizes(weight, convolution, sizes);
  return status != nullptr ? status : ResizeTo(OutOf(call), sizes);
}

// The place in the input that place `k` of the kernel takes for place `o` of the result; -1: none.
int64_t TakenFrom(const Convolution& convolution, size_t d, int64_t o, int64_t k, int64_t size) {
  const Window& window = convolution.window;
  int64_t at = 0;
  if (convolution.transposed) {
    at = o + window.padding[d] - k * window.dilation[d];
    if (at < 0 || at % window.stride[d] != 0) return -1;
    at /= window.stride[d];
  } else {
    at = window.Start(d, o) + k * window.dilation[d];
  }
  return at >= 0 && at < size ? at : -1;
}

// Any types, strides and directions: each element by itself.
template <class T>
T ConvolvedElement(const Images& images, const Convolution& convolution, int64_t n, int64_t channel,
                   int64_t y, int64_t x) {
  const auto& [input, weight, out, bias] = images;
  const bool transposed = convolution.transposed;
  const int64_t inputs = input.sizes[1] / convolution.groups;
  const int64_t outputs = out.sizes[1] / convolution.groups;
  const int64_t first = channel / outputs * inputs;
  T sum = BiasOf<T>(images, channel);
  for (int64_t r = 0; r < convolution.window.kernel[0]; ++r) {
    const int64_t from_y = TakenFrom(convolution, 0, y, r, input.sizes[2]);
    for (int64_t c = 0; c < convolution.window.kernel[1] && from_y >= 0; ++c) {
      const int64_t from_x = TakenFrom(convolution, 1, x, c, input.sizes[3]);
      for (int64_t i = 0; i < inputs && from_x >= 0; ++i) {
        const T number = LoadOne<T>(input.dtype, PixelOf(input, n, first + i, from_y, from_x));
        const T factor = LoadOne<T>(weight.dtype,
                                    transposed ? PixelOf(weight, first + i, channel % outputs, r, c)
                                               : PixelOf(weight, channel, i, r, c));
        if constexpr (std::integral<T>)
          sum = WrappedSum(sum, WrappedProduct(number, factor));
        else
          sum += number * factor;
      }
    }
  }
  return sum;
}

template <class T>
void ConvolvePlain(const Images& images, const Convolution& convolution, CallWork& work) {
  const Region& out = images.out;
  const auto [height, width] = convolution.window.kernel;
  for (int64_t n = 0; n < out.sizes[0]; ++n) {
    for (int64_t channel = 0; channel < out.sizes[1]; ++channel) {
      for (int64_t y = 0; y < out.sizes[2]; ++y) {
        for (int64_t x = 0; x < out.sizes[3]; ++x) {
          work.TakeProduct(height, width);
          StoreOne(out.dtype, ConvolvedElement<T>(images, convolution, n, channel, y, x),
                   PixelOf(out, n, channel, y, x));
        }
      }
    }
  }
}

KernelStatus Convolve(const KernelCall& call) {
  Convolution convolution;
  const KernelStatus status = ConvolutionAt(call, 3, TensorAt(call, 1), convolution);
  if (status != nullptr) return status;
  const TensorRef* bias = TensorOrNull(call, 2);
  Images images = {AsImage(WholeOf(TensorAt(call, 0))),
                   AsImage(WholeOf(TensorAt(call, 1))),
                   AsImage(WholeOf(OutOf(call))),
                   {}};
  if (bias != nullptr) {
    images.bias = WholeOf(*bias);
    if (bias->rank() != 1 || bias->sizes[0] != images.out.sizes[1]) {
      return "the bias does not have one number for each output channel";
    }
  }
  return ConvolveImages(images, convolution, *call.scratch);
}

constexpr Kernel kConvolutionKernels[] = {
    {"aten::convolution.out", SizesOfConvolution, Convolve},
};

}  // namespace

KernelStatus ConvolutionAt(const KernelCall& call, size_t first, const TensorRef& weight,
                           Convolution& convolution) {
  if (weight.rank() != 3 && weight.rank() != 4) return "one or two dimensions are supported";
  const size_t spatial = weight.rank() - 2;
  const auto stride = PairOf(*call.args[first], spatial, 1, 1, {1, 1});
  const auto padding = PairOf(*call.args[first + 1], spatial, 0, 0, {0, 0});
  const auto dilation = PairOf(*call.args[first + 2], spatial, 1, 1, {1, 1});
  const auto added = PairOf(*call.args[first + 4], spatial, 0, 0, {0, 0});
  if (!stride || !padding || !dilation || !added) {
    return "stride, padding or dilation is out of range";
  }
  const Pair kernel = {spatial == 1 ? 1 : weight.sizes[2], weight.sizes[spatial + 1]};
  if (kernel[0] < 1 || kernel[1] < 1) return "the kernel is empty";
  convolution = {{kernel, *stride, *padding, *dilation},
                 *added,
                 IntAt(call, first + 5),
                 IntAt(call, first + 3) != 0};
  // Also 0 channels divide into as many groups as sizes can have, and no more.
  constexpr int64_t kMostGroups = std::numeric_limits<int32_t>::max();
  if (convolution.groups < 1 || convolution.groups > kMostGroups ||
      weight.sizes[0] % convolution.groups != 0) {
    return "the channels do not divide into the groups";
  }
  for (size_t d = 0; d < 2 && convolution.transposed; ++d) {
    if ((*added)[d] >= std::max((*stride)[d], (*dilation)[d])) {
      return "the output padding is not below stride or dilation";
    }
  }
  return nullptr;
}

Region AsImage(Region region) {
  if (region.rank != 3) return region;
  region.sizes[3] = region.sizes[2];
  region.strides[3] = region.strides[2];
  region.sizes[2] = 1;
  region.strides[2] = 0;
  region.rank = 4;
  return region;
}

KernelStatus ConvolvedSizes(const TensorRef& weight, const Convolution& convolution,
                            Region& sizes) {
  const bool transposed = convolution.transposed;
  if (sizes.rank != weight.rank()) return "input and weight differ in rank";
  const int64_t channels = transposed ? weight.sizes[0] : weight.sizes[1] * convolution.groups;
  if (sizes.sizes[1] != channels) return "the input's channels are not the weight's";
  sizes.sizes[1] = transposed ? weight.sizes[1] * convolution.groups : weight.sizes[0];
  for (size_t i = 2; i < sizes.rank; ++i) {
    const size_t d = i + 2 - sizes.rank;
    const Window& window = convolution.window;
    int64_t& size = sizes.sizes[i];
    size = transposed ? (size - 1) * window.stride[d] - 2 * window.padding[d] + window.Reach(d) +
                            convolution.added[d]
                      : WindowCount(size, window, d);
    if (size < 1) return "the kernel is larger than the padded input";
  }
  return nullptr;
}

KernelStatus ConvolveImages(const Images& images, const Convolution& convolution,
                            Scratch& scratch) {
  const ScalarType dtype = images.input.dtype;
  if (images.weight.dtype != dtype) return "the operands have different element types";
  if (IsComplexType(dtype)) return "it is not defined for complex elements";
  if (CountIn(images.out) == 0) return nullptr;
  const bool single = dtype == ScalarType::kFloat32 && !convolution.transposed &&
                      (!images.bias.data.given() || images.bias.dtype == dtype);
  if (single && ConvolveSingle(images, convolution, scratch)) return nullptr;
  if (IsRealType(dtype)) {
    ConvolvePlain<double>(images, convolution, scratch.work());
  } else {
    ConvolvePlain<int64_t>(images, convolution, scratch.work());
  }
  return nullptr;
}

std::span<const Kernel> ConvolutionKernels() {
  return kConvolutionKernels;
}

}  // namespace pteproof::kernels
