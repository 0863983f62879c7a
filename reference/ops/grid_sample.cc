// Images sampled at places that a grid names, from -1 (one edge) to 1 (the other).
#include <algorithm>
#include <array>
#include <cmath>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kGridSampleOrder = "kernels weigh in the type, the reference in double";

enum class Mode : uint8_t { kBilinear, kNearest, kBicubic };
enum class Beyond : uint8_t { kZeros, kBorder, kReflection };  // what lies outside the image

Types GridSampleType(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  const TensorType& grid = TensorAt(call, 1);
  const auto mode = ConstantAt(call, 2);
  const auto beyond = ConstantAt(call, 3);
  if (!IsFloat(input.dtype) || grid.dtype != input.dtype) {
    return std::string("the operands must be of one float type");
  }
  if (input.rank() != 4 || grid.rank() != 4 || !grid.sizes[3].Is(2)) {
    return std::string("the input must have four dimensions, the grid four with 2 as the last");
  }
  if (!MayBeEqual(input.sizes[0], grid.sizes[0]))
    return std::string("the batches have different sizes");
  if (!mode || !beyond || *mode < 0 || *mode > 2 || *beyond < 0 || *beyond > 2) {
    return std::string("the interpolation or padding mode is unknown");
  }
  return OneResult(input.dtype, {input.sizes[0], input.sizes[1], grid.sizes[1], grid.sizes[2]});
}

struct Sampling {
  Mode mode = Mode::kBilinear;
  Beyond beyond = Beyond::kZeros;
  bool align = false;  // -1 and 1 are the centres of the outermost pixels, not their edges
};

// A pixel of one dimension with its share; outside the image it counts 0.
struct Pixel {
  int64_t from = 0;
  double weight = 0;
};
using Pixels = std::array<Pixel, 4>;

double Place(double grid, int64_t size, bool align) {
  const auto length = static_cast<double>(size);
  return align ? (grid + 1) / 2 * (length - 1) : ((grid + 1) * length - 1) / 2;
}

// Mirrored at the edges until it is inside.
double Reflected(double place, int64_t size, bool align) {
  const auto length = static_cast<double>(size);
  const double low = align ? 0 : -0.5;
  const double span = align ? length - 1 : length;
  if (span <= 0) return 0;
  const double off = std::fabs(place - low);
  const double extra = std::fmod(off, span);
  const bool turned = std::fmod(std::floor(off / span), 2) != 0;
  return turned ? span - extra + low : extra + low;
}

// The place that stands for one outside the image. A NaN goes to the first pixel.
double Inside(double place, int64_t size, const Sampling& sampling) {
  if (sampling.beyond == Beyond::kZeros) return place;
  if (sampling.beyond == Beyond::kReflection) place = Reflected(place, size, sampling.align);
  return place > 0 ? std::min(place, static_cast<double>(size - 1)) : 0;
}

// A pixel, or -1 where there is none.
int64_t PixelAt(double place, int64_t size) {
  return place >= 0 && place < static_cast<double>(size) ? static_cast<int64_t>(place) : -1;
}

// Cubic convolution with a slope of -0.75 at distance 1; `off` from 0 to 2.
double Cubic(double off) {
  constexpr double kSlope = -0.75;
  if (off <= 1) return ((kSlope + 2) * off - (kSlope + 3)) * off * off + 1;
  return ((kSlope * off - 5 * kSlope) * off + 8 * kSlope) * off - 4 * kSlope;
}

Pixels PixelsAt(double grid, int64_t size, const Sampling& sampling) {
  const double place = Place(grid, size, sampling.align);
  Pixels taps;
  if (sampling.mode == Mode::kBicubic) {
    // Here what lies outside is decided pixel by pixel.
    const double low = std::floor(place);
    for (size_t t = 0; t < 4; ++t) {
      const double pixel = low + static_cast<double>(t) - 1;
      taps[t] = {PixelAt(Inside(pixel, size, sampling), size), Cubic(std::fabs(place - pixel))};
    }
    return taps;
  }
  const double inside = Inside(place, size, sampling);
  if (sampling.mode == Mode::kNearest) {
    taps[0] = {PixelAt(std::nearbyint(inside), size), 1};
    return taps;
  }
  const double low = std::floor(inside);
  taps[0] = {PixelAt(low, size), 1 - (inside - low)};
  taps[1] = {PixelAt(low + 1, size), inside - low};
  return taps;
}

double Sample(const TensorValue& input, int64_t plane, const Pixels& rows, const Pixels& columns,
              size_t taps) {
  double sum = 0;
  for (size_t y = 0; y < taps; ++y) {
    for (size_t x = 0; x < taps; ++x) {
      if (rows[y].from < 0 || columns[x].from < 0) continue;
      const int64_t at = (plane * input.sizes[2] + rows[y].from) * input.sizes[3] + columns[x].from;
      sum += rows[y].weight * columns[x].weight * RealAt(input, at);
    }
  }
  return sum;
}

std::string GridSample(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const TensorValue& grid = TensorAt(call, 1);
  if (ElementCount(results[0]) == 0) return {};
  if (ElementCount(input) == 0) return "the input has no elements";
  const Sampling sampling = {static_cast<Mode>(IntAt(call, 2)), static_cast<Beyond>(IntAt(call, 3)),
                             BoolAt(call, 4)};
  const size_t taps = sampling.mode == Mode::kBicubic ? 4 : sampling.mode == Mode::kNearest ? 1 : 2;
  const int64_t area = grid.sizes[1] * grid.sizes[2];
  const int64_t channels = input.sizes[1];
  const auto each = channels * static_cast<int64_t>(taps * taps) + 8;
  Paced pace(CappedProduct({input.sizes[0] * area, each}));
  for (int64_t place = 0; place < input.sizes[0] * area; ++place) {
    pace.Step(each);
    const Pixels columns = PixelsAt(RealAt(grid, 2 * place), input.sizes[3], sampling);
    const Pixels rows = PixelsAt(RealAt(grid, 2 * place + 1), input.sizes[2], sampling);
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t plane = place / area * channels + c;
      SetReal(results[0], plane * area + place % area, Sample(input, plane, rows, columns, taps));
    }
  }
  return {};
}

constexpr OpMeaning kGridSampleMeanings[] = {
    RoundedFor(kGridSampleOrder, "aten::grid_sampler_2d.out", GridSampleType, GridSample),
};

}  // namespace

std::span<const OpMeaning> GridSampleMeanings() {
  return kGridSampleMeanings;
}

}  // namespace pteproof
