// Images sampled at places that a grid names, from -1 (one edge) to 1 (the other). Each place is a
// few pixels of a row and of a column with their weights, found once for all channels.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// As PyTorch numbers them.
enum class Interpolation : uint8_t { kBilinear, kNearest, kBicubic };
enum class Outside : uint8_t { kZeros, kBorder, kReflection };

struct GridSampling {
  Interpolation interpolation = Interpolation::kBilinear;
  Outside outside = Outside::kZeros;
  bool align_corners = false;

  // Pixels of a row, or of a column, that a place is made of.
  [[nodiscard]] size_t Taps() const {
    if (interpolation == Interpolation::kNearest) return 1;
    return interpolation == Interpolation::kBilinear ? 2 : 4;
  }
};

// A pixel of one dimension, by its number; -1: none, which counts 0.
struct GridTap {
  int64_t pixel = -1;
  double weight = 0;
};
using GridTaps = std::array<GridTap, 4>;

// Folds a place at the edges, as often as it takes.
double Folded(double place, int64_t size, bool align_corners) {
  const double low = align_corners ? 0 : -0.5;
  const double span = static_cast<double>(align_corners ? size - 1 : size);
  if (span <= 0) return 0;
  const double off = std::abs(place - low);
  const double rest = std::fmod(off, 2 * span);
  return low + (rest < span ? rest : 2 * span - rest);
}

// Moves a place outside of the image to one that stands for it.
double Bounded(double place, int64_t size, const GridSampling& by) {
  if (by.outside == Outside::kZeros) return place;
  if (by.outside == Outside::kReflection) place = Folded(place, size, by.align_corners);
  if (!(place > 0)) return 0;  // NaN, too
  return std::min(place, static_cast<double>(size - 1));
}

int64_t PixelIn(double place, int64_t size) {
  const bool inside = place >= 0 && place < static_cast<double>(size);
  return inside ? static_cast<int64_t>(place) : -1;
}

// The cubic that PyTorch uses, of slope -0.75 at distance 1. `off` is from 0 to 2.
double CubicWeight(double off) {
  constexpr double kA = -0.75;
  const double square = off * off;
  if (off <= 1) return (kA + 2) * square * off - (kA + 3) * square + 1;
  return kA * (square * off - 5 * square + 8 * off - 4);
}

GridTaps TapsAt(double grid, int64_t size, const GridSampling& by) {
  const auto length = static_cast<double>(size);
  const double place =
      by.align_corners ? (grid + 1) * 0.5 * (length - 1) : ((grid + 1) * length - 1) * 0.5;
  GridTaps taps;
  if (by.interpolation == Interpolation::kBicubic) {
    // Here each pixel is moved by itself.
    const double low = std::floor(place);
    for (int t = 0; t < 4; ++t) {
      const double pixel = low + t - 1;
      taps[static_cast<size_t>(t)] = {PixelIn(Bounded(pixel, size, by), size),
                                      CubicWeight(std::abs(place - pixel))};
    }
    return taps;
  }
  const double moved = Bounded(place, size, by);
  if (by.interpolation == Interpolation::kNearest) {
    taps[0] = {PixelIn(std::nearbyint(moved), size), 1};
    return taps;
  }
  const double low = std::floor(moved);
  taps[0] = {PixelIn(low, size), 1 - (moved - low)};
  taps[1] = {PixelIn(low + 1, size), moved - low};
  return taps;
}

// One pixel of the result, of a plane that lies there.
double SampleOf(const Region& input, CheckedPointer plane, const GridTaps& rows,
                const GridTaps& columns, size_t taps) {
  double sum = 0;
  for (size_t y = 0; y < taps; ++y) {
    if (rows[y].pixel < 0) continue;
    const CheckedPointer row = plane + rows[y].pixel * input.strides[2];
    for (size_t x = 0; x < taps; ++x) {
      if (columns[x].pixel < 0) continue;
      const auto value = LoadOne<double>(input.dtype, row + columns[x].pixel * input.strides[3]);
      sum += rows[y].weight * columns[x].weight * value;
    }
  }
  return sum;
}

KernelStatus SizesOfGridSample(const KernelCall& call) {
  const TensorRef& input = TensorAt(call, 0);
  const TensorRef& grid = TensorAt(call, 1);
  if (input.rank() != 4 || grid.rank() != 4 || grid.sizes[3] != 2) {
    return "the input must have four dimensions, the grid four with 2 as the last";
  }
  if (input.sizes[0] != grid.sizes[0]) return "the batches have different sizes";
  const std::array<int64_t, 4> sizes = {input.sizes[0], input.sizes[1], grid.sizes[1],
                                        grid.sizes[2]};
  return Resize(OutOf(call), sizes);
}

KernelStatus GridSample(const KernelCall& call) {
  const Region input = WholeOf(TensorAt(call, 0));
  const Region grid = WholeOf(TensorAt(call, 1));
  const Region out = WholeOf(OutOf(call));
  const int64_t interpolation = IntAt(call, 2);
  const int64_t outside = IntAt(call, 3);
  if (interpolation < 0 || interpolation > 2 || outside < 0 || outside > 2) {
    return "the interpolation or padding mode is unknown";
  }
  if (!IsRealType(input.dtype) || grid.dtype != input.dtype) {
    return "the operands must be of one float type";
  }
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  if (ElementCount(TensorAt(call, 0)) == 0) return "the input has no elements";
  const GridSampling by = {static_cast<Interpolation>(interpolation), static_cast<Outside>(outside),
                           IntAt(call, 4) != 0};
  for (int64_t n = 0; n < out.sizes[0]; ++n) {
    for (int64_t i = 0; i < out.sizes[2] * out.sizes[3]; ++i) {
      const int64_t y = i / out.sizes[3];
      const int64_t x = i % out.sizes[3];
      const CheckedPointer place =
          grid.data + n * grid.strides[0] + y * grid.strides[1] + x * grid.strides[2];
      const GridTaps columns = TapsAt(LoadOne<double>(grid.dtype, place), input.sizes[3], by);
      const GridTaps rows =
          TapsAt(LoadOne<double>(grid.dtype, place + grid.strides[3]), input.sizes[2], by);
      for (int64_t c = 0; c < out.sizes[1]; ++c) {
        const CheckedPointer plane = input.data + n * input.strides[0] + c * input.strides[1];
        StoreOne(out.dtype, SampleOf(input, plane, rows, columns, by.Taps()),
                 out.data + n * out.strides[0] + c * out.strides[1] + y * out.strides[2] +
                     x * out.strides[3]);
      }
    }
  }
  return nullptr;
}

constexpr Kernel kGridKernels[] = {
    {"aten::grid_sampler_2d.out", SizesOfGridSample, GridSample},
};

}  // namespace

std::span<const Kernel> GridKernels() {
  return kGridKernels;
}

}  // namespace pteproof::kernels
