// Images [batch, channels, height, width] in other sizes, each element weighed from its neighbours.
// Rows and columns are weighed one after the other: for each of them a few taps, found once, say
// which elements of the image it is made of. Floats are weighed in double. Bytes are weighed in
// fixed point of 16 bits and rounded to bytes after the columns and again after the rows, as
// PyTorch does. Cost: an image's elements times the taps of an axis, twice.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"
#include "runtime/kernels/image/resample.h"

namespace pteproof::kernels {
namespace {

struct ResampledAxis {
  int64_t in = 0;
  int64_t out = 0;
  double factor = 0;  // as the call gives it; 0: not
  bool align_corners = false;

  // How far apart in the image neighbours of the result are.
  [[nodiscard]] double Step() const {
    if (align_corners) {
      return out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0;
    }
    return factor > 0 ? 1 / factor : static_cast<double>(in) / static_cast<double>(out);
  }
};

// Element o of the result is made of `counts[o]` elements of the image: places and weights from
// o * most on.
struct AxisTaps {
  int64_t out = 0;
  int64_t most = 0;
  LentNumbers<int64_t> counts;
  LentNumbers<int64_t> places;
  LentNumbers<double> weights;
  LentNumbers<int64_t> fixed;  // of bytes: the weights in units of 1 / 2^bits
  int bits = 0;
};

bool MakeRoom(AxisTaps& taps, Scratch& scratch) {
  taps.counts = RoomFor<int64_t>(taps.out, scratch);
  taps.places = RoomFor<int64_t>(taps.out, taps.most, scratch);
  taps.weights = RoomFor<double>(taps.out, taps.most, scratch);
  taps.fixed = RoomFor<int64_t>(taps.out, taps.most, scratch);
  scratch.work().TakeProduct(taps.out, taps.most);
  return taps.counts.given() && taps.places.given() && taps.weights.given() && taps.fixed.given();
}

// The two nearest.
KernelStatus TapNearest(const ResampledAxis& axis, AxisTaps& taps, Scratch& scratch) {
  taps.out = axis.out;
  taps.most = 2;
  if (!MakeRoom(taps, scratch)) return kNoMemory;
  const double step = axis.Step();
  const int64_t last = axis.in - 1;
  for (int64_t o = 0; o < axis.out; ++o) {
    scratch.work().Pass();
    const auto number = static_cast<double>(o);
    double place = axis.align_corners ? number * step : (number + 0.5) * step - 0.5;
    place = std::max(place, 0.0);
    const bool beyond = place >= static_cast<double>(last);
    const int64_t low = beyond ? last : static_cast<int64_t>(place);
    const double share = std::min(place - static_cast<double>(low), 1.0);
    taps.counts[o] = 2;
    taps.places[2 * o] = low;
    taps.places[2 * o + 1] = std::min(low + 1, last);
    taps.weights[2 * o] = 1 - share;
    taps.weights[2 * o + 1] = share;
  }
  return nullptr;
}

// All below a triangle that is as wide as a step, but no narrower than the image's own.
KernelStatus TapTriangle(const ResampledAxis& axis, AxisTaps& taps, Scratch& scratch) {
  const double step = axis.Step();
  const double reach = std::max(step, 1.0);
  const auto end = static_cast<double>(axis.in);
  const auto count = static_cast<double>(axis.out);
  // Else nearly all results would lie far outside.
  if (!(step * count <= 4 * (end + count))) return "a scale factor does not fit the sizes";
  taps.out = axis.out;
  taps.most = std::min(axis.in, static_cast<int64_t>(std::ceil(reach)) * 2 + 1);
  if (!MakeRoom(taps, scratch)) return kNoMemory;
  for (int64_t o = 0; o < axis.out; ++o) {
    scratch.work().Pass(taps.most);
    const double center = (static_cast<double>(o) + 0.5) * step;
    const auto first = static_cast<int64_t>(std::clamp(center - reach + 0.5, 0.0, end));
    const auto behind = static_cast<int64_t>(std::clamp(center + reach + 0.5, 0.0, end));
    const auto weights = taps.weights.Part(o * taps.most, taps.most);
    double total = 0;
    taps.counts[o] = std::clamp<int64_t>(behind - first, 0, taps.most);
    for (int64_t k = 0; k < taps.counts[o]; ++k) {
      const double off = (static_cast<double>(first + k) - center + 0.5) / reach;
      taps.places[o * taps.most + k] = first + k;
      weights[k] = std::max(1 - std::abs(off), 0.0);
      total += weights[k];
    }
    for (int64_t k = 0; k < taps.counts[o] && total != 0; ++k) weights[k] /= total;
  }
  return nullptr;
}

// As many bits as leave the largest weight below 2^15.
void FixWeights(AxisTaps& taps, CallWork& work) {
  double most = 0;
  for (int64_t o = 0; o < taps.out; ++o) {
    work.Pass(taps.most);
    const auto weights = taps.weights.Part(o * taps.most, taps.most);
    for (int64_t k = 0; k < taps.counts[o]; ++k) most = std::max(most, weights[k]);
  }
  taps.bits = 0;
  while (taps.bits < 22 && std::floor(0.5 + std::ldexp(most, taps.bits + 1)) < 32768) ++taps.bits;
  for (int64_t o = 0; o < taps.out; ++o) {
    work.Pass(taps.most);
    for (int64_t k = o * taps.most; k < o * taps.most + taps.counts[o]; ++k) {
      taps.fixed[k] = std::llround(std::ldexp(taps.weights[k], taps.bits));
    }
  }
}

struct Resampling {
  AxisTaps rows;
  AxisTaps columns;
};

// Element o of a line whose elements are so far apart.
template <class T>
T Weighed(const AxisTaps& taps, int64_t o, const LentNumbers<T>& from, int64_t stride) {
  const int64_t first = o * taps.most;
  if constexpr (std::is_same_v<T, double>) {
    double sum = 0;
    for (int64_t k = first; k < first + taps.counts[o]; ++k) {
      sum += taps.weights[k] * from[taps.places[k] * stride];
    }
    return sum;
  } else {
    int64_t sum = taps.bits == 0 ? 0 : int64_t{1} << (taps.bits - 1);
    for (int64_t k = first; k < first + taps.counts[o]; ++k) {
      sum += taps.fixed[k] * from[taps.places[k] * stride];
    }
    return std::clamp<int64_t>(sum >> taps.bits, 0, 255);
  }
}

// Each plane: its rows by the columns' taps, then what that gives by the rows' taps.
template <class T>
KernelStatus ResamplePlanes(const Region& self, const Region& out, const Resampling& by,
                            Scratch& scratch) {
  const int64_t height = self.sizes[2];
  const int64_t width = self.sizes[3];
  const auto row = RoomFor<T>(width, scratch);
  const auto narrowed = RoomFor<T>(height, by.columns.out, scratch);
  const auto line = RoomFor<T>(by.columns.out, scratch);
  if (!row.given() || !narrowed.given() || !line.given()) return kNoMemory;
  const auto planes = [](Region region) {
    region.rank = 2;
    return region;
  };
  ForEachPlace(WalkOf(planes(self), planes(out)), [&](const auto& at) {
    for (int64_t y = 0; y < height; ++y) {
      LoadLine(self.dtype, at[0] + y * self.strides[2], self.strides[3], row);
      scratch.work().TakeProduct(by.columns.out, by.columns.most);
      const auto to = narrowed.Part(y * by.columns.out, by.columns.out);
      for (int64_t x = 0; x < by.columns.out; ++x) {
        scratch.work().Pass(by.columns.most);
        to[x] = Weighed(by.columns, x, row, 1);
      }
    }
    for (int64_t y = 0; y < by.rows.out; ++y) {
      scratch.work().TakeProduct(by.columns.out, by.rows.most);
      for (int64_t x = 0; x < by.columns.out; ++x) {
        scratch.work().Pass(by.rows.most);
        const auto column = narrowed.Part(x, narrowed.size() - x);
        line[x] = Weighed(by.rows, y, column, by.columns.out);
      }
      StoreLine(out.dtype, line, at[1] + y * out.strides[2], out.strides[3]);
    }
  });
  return nullptr;
}

using MakeTaps = KernelStatus (*)(const ResampledAxis& axis, AxisTaps& taps, Scratch& scratch);

KernelStatus ResampleBy(const KernelCall& call, const std::array<double, 2>& factors,
                        MakeTaps make_taps) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  if (!IsRealType(self.dtype) && self.dtype != ScalarType::kUInt8) {
    return "the input must be of floats or uint8";
  }
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  if (ElementCount(TensorAt(call, 0)) == 0) return "the input has no elements";
  const bool align_corners = IntAt(call, 2) != 0;
  Resampling by;
  KernelStatus status =
      make_taps({self.sizes[2], out.sizes[2], factors[0], align_corners}, by.rows, *call.scratch);
  if (status != nullptr) return status;
  status = make_taps({self.sizes[3], out.sizes[3], factors[1], align_corners}, by.columns,
                     *call.scratch);
  if (status != nullptr) return status;
  if (self.dtype != ScalarType::kUInt8) return ResamplePlanes<double>(self, out, by, *call.scratch);
  FixWeights(by.rows, call.scratch->work());
  FixWeights(by.columns, call.scratch->work());
  return ResamplePlanes<int64_t>(self, out, by, *call.scratch);
}

KernelStatus SizesOfBilinear(const KernelCall& call) {
  return ResizeUpsampled(call, 3);
}

KernelStatus UpsampleBilinear(const KernelCall& call) {
  const auto factors = call.args[3]->reals;
  return ResampleBy(call, {factors.empty() ? 0 : factors[0], factors.empty() ? 0 : factors[1]},
                    TapNearest);
}

KernelStatus SizesOfAntialiased(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  const auto wanted = call.args[1]->items;
  if (sizes.rank != 4) return "the input must have four dimensions";
  if (wanted.size() != 2) return "there must be two sizes";
  for (size_t d = 0; d < 2; ++d) sizes.sizes[d + 2] = wanted[d]->integer;
  return ResizeTo(OutOf(call), sizes);
}

KernelStatus UpsampleAntialiased(const KernelCall& call) {
  std::array<double, 2> factors = {0, 0};
  for (size_t d = 0; d < 2; ++d) {
    if (IsNone(call, 3 + d)) continue;
    const ElementNumber number = NumberOf(*call.args[3 + d]);
    factors[d] = number.is_real ? number.real : static_cast<double>(number.integer);
  }
  return ResampleBy(call, factors, TapTriangle);
}

constexpr Kernel kBilinearKernels[] = {
    {"aten::upsample_bilinear2d.vec_out", SizesOfBilinear, UpsampleBilinear},
    {"aten::_upsample_bilinear2d_aa.out", SizesOfAntialiased, UpsampleAntialiased},
};

}  // namespace

std::span<const Kernel> BilinearKernels() {
  return kBilinearKernels;
}

}  // namespace pteproof::kernels
