// Convolutions as their kernels see them: everything is an image of two dimensions.
#ifndef PTEPROOF_RUNTIME_KERNELS_IMAGE_CONVOLUTION_H_
#define PTEPROOF_RUNTIME_KERNELS_IMAGE_CONVOLUTION_H_

#include <cstdint>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/region.h"
#include "runtime/kernels/base/scratch.h"
#include "runtime/kernels/image/window.h"

namespace pteproof::kernels {

struct Convolution {
  Window window;
  Pair added = {0, 0};  // to the sizes of a transposed one
  int64_t groups = 1;
  bool transposed = false;
};

// [batch, channels, height, width], and the bias by channel.
struct Images {
  Region input;
  Region weight;
  Region out;
  Region bias;  // no data: none
};

[[nodiscard]] inline CheckedPointer PixelOf(const Region& image, int64_t n, int64_t c, int64_t y,
                                            int64_t x) {
  return image.data + n * image.strides[0] + c * image.strides[1] + y * image.strides[2] +
         x * image.strides[3];
}

template <class T>
[[nodiscard]] T BiasOf(const Images& images, int64_t channel) {
  if (!images.bias.data.given()) return T();
  return LoadOne<T>(images.bias.dtype, images.bias.data + channel * images.bias.strides[0]);
}

// The attributes from argument `first`, the stride, on.
[[nodiscard]] KernelStatus ConvolutionAt(const KernelCall& call, size_t first,
                                         const TensorRef& weight, Convolution& convolution);

// `sizes` are the input's, and become those of the result.
[[nodiscard]] KernelStatus ConvolvedSizes(const TensorRef& weight, const Convolution& convolution,
                                          Region& sizes);

// A tensor of one or two dimensions beside batch and channels, as an image.
[[nodiscard]] Region AsImage(Region region);

// Fills images.out, which has the sizes of the result.
[[nodiscard]] KernelStatus ConvolveImages(const Images& images, const Convolution& convolution,
                                          Scratch& scratch);

// Of float32 only, and not transposed. False: nothing is done, since that needs too much memory, or
// the result's pixels are in another order than by rows or columns of channels.
[[nodiscard]] bool ConvolveSingle(Images images, const Convolution& convolution, Scratch& scratch);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_IMAGE_CONVOLUTION_H_
