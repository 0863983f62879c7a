// Images [batch, channels, height, width] in other sizes: each element is that of the nearest
// place.
#include <algorithm>
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/image/resample.h"

namespace pteproof::kernels {
namespace {

KernelStatus SizesOfNearest(const KernelCall& call) {
  return ResizeUpsampled(call, 2);
}

// In float32, which the rounding down makes matter.
int64_t NearestPlace(int64_t o, int64_t in, int64_t out, double factor) {
  const auto step = factor > 0 ? static_cast<float>(1 / factor)
                               : static_cast<float>(in) / static_cast<float>(out);
  const float place = std::floor(static_cast<float>(o) * step);
  return place < static_cast<float>(in) ? std::min(static_cast<int64_t>(place), in - 1) : in - 1;
}

KernelStatus UpsampleNearest(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  const auto factors = call.args[2]->reals;
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  if (ElementCount(TensorAt(call, 0)) == 0) return "the input has no elements";
  for (int64_t y = 0; y < out.sizes[2]; ++y) {
    Region from_row = self;
    Region to_row = out;
    const int64_t row =
        NearestPlace(y, self.sizes[2], out.sizes[2], factors.empty() ? 0 : factors[0]);
    Select(from_row, 2, row);
    Select(to_row, 2, y);
    for (int64_t x = 0; x < out.sizes[3]; ++x) {
      Region from = from_row;
      Region to = to_row;
      const int64_t column =
          NearestPlace(x, self.sizes[3], out.sizes[3], factors.empty() ? 0 : factors[1]);
      Select(from, 2, column);
      Select(to, 2, x);
      CopyRegion(from, to);
    }
  }
  return nullptr;
}

constexpr Kernel kResampleKernels[] = {
    {"aten::upsample_nearest2d.vec_out", SizesOfNearest, UpsampleNearest},
};

}  // namespace

KernelStatus ResizeUpsampled(const KernelCall& call, size_t factors_at) {
  Region sizes = WholeOf(TensorAt(call, 0));
  const auto wanted = call.args[1]->items;
  const auto factors = call.args[factors_at]->reals;
  if (sizes.rank != 4) return "the input must have four dimensions";
  if (IsNone(call, 1) == factors.empty()) return "give output_size or scale_factors";
  if ((IsNone(call, 1) ? factors.size() : wanted.size()) != 2) return "there must be two sizes";
  for (size_t d = 0; d < 2; ++d) {
    int64_t& size = sizes.sizes[d + 2];
    if (!IsNone(call, 1)) {
      size = wanted[d]->integer;
      continue;
    }
    const double scaled = std::floor(static_cast<double>(size) * factors[d]);
    if (!(factors[d] > 0 && scaled < 0x1p31)) return "a scale factor is out of range";
    size = static_cast<int64_t>(scaled);
  }
  return ResizeTo(OutOf(call), sizes);
}

std::span<const Kernel> ResampleKernels() {
  return kResampleKernels;
}

}  // namespace pteproof::kernels
