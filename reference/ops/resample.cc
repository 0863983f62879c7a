// Images [batch, channels, height, width] in other sizes.
#include <algorithm>
#include <array>
#include <cmath>

#include "reference/ops/elements.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kResampleOrder = "kernels weigh in the type, the reference in double";

// A size times a factor, rounded down. Of a size that depends on the dims only where the factor is
// a fraction of not too large a power of two.
std::optional<SizeExpr> Scaled(const SizeExpr& size, double factor) {
  if (!(factor > 0 && factor < 0x1p30)) return std::nullopt;
  if (const auto number = size.Constant()) {
    const double scaled = std::floor(static_cast<double>(*number) * factor);
    if (!(scaled < 0x1p40)) return std::nullopt;
    return SizeExpr(static_cast<int64_t>(scaled));
  }
  for (int64_t parts = 1; parts <= 1 << 20; parts *= 2) {
    const double numerator = factor * static_cast<double>(parts);
    if (numerator == std::floor(numerator)) {
      return FloorDiv(size * static_cast<int64_t>(numerator), parts);
    }
  }
  return std::nullopt;
}

Types ResizedType(const TensorType& input, std::span<const SizeExpr> wanted) {
  if (input.rank() != 4) return std::string("the input must have four dimensions");
  if (!IsFloat(input.dtype) && input.dtype != ScalarType::kUInt8) {
    return std::string("the input must be of floats or uint8");
  }
  if (wanted.size() != 2) return std::string("the output size must have two entries");
  SizeList sizes = input.sizes;
  std::copy(wanted.begin(), wanted.end(), sizes.end() - 2);
  return OneResult(input.dtype, std::move(sizes));
}

// output_size is operand 1; where it is None, scale_factors, the last operand, gives the size.
Types UpsampleType(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  const auto factors = RealsAt(call, call.args.size() - 1);
  if (IsNone(call, 1) == factors.empty()) return std::string("give output_size or scale_factors");
  if (!IsNone(call, 1)) return ResizedType(input, IntsAt(call, 1));
  if (input.rank() != 4 || factors.size() != 2) return std::string("a rank is wrong");
  const auto height = Scaled(input.sizes[2], factors[0]);
  const auto width = Scaled(input.sizes[3], factors[1]);
  if (!height || !width) return std::string("a scale factor is out of range");
  return ResizedType(input, std::vector{*height, *width});
}

Types AntialiasType(const TypeCall& call) {
  return ResizedType(TensorAt(call, 0), IntsAt(call, 1));
}

// What one row or column of the result is made of.
struct Tap {
  int64_t from = 0;
  double weight = 1;
};

// Of all rows or columns of the result, one behind the other.
struct Taps {
  Numbers<Tap> taps;
  Numbers<size_t> ends;  // of each row or column

  void End() { ends.push_back(taps.size()); }
  [[nodiscard]] std::span<const Tap> operator[](size_t o) const {
    const size_t first = o == 0 ? 0 : ends[o - 1];
    return std::span(taps).subspan(first, ends[o] - first);
  }
};

struct Axis {
  int64_t in = 0;
  int64_t out = 0;
  double factor = 0;  // the scale factor given; 0: none
};

// How far apart in the image neighbours of the result are.
double Step(const Axis& axis, bool align_corners) {
  if (align_corners) {
    return axis.out > 1 ? static_cast<double>(axis.in - 1) / static_cast<double>(axis.out - 1) : 0;
  }
  return axis.factor > 0 ? 1 / axis.factor
                         : static_cast<double>(axis.in) / static_cast<double>(axis.out);
}

// Both libraries compute the place in float32, and rounding it down makes that matter.
Taps NearestTaps(const Axis& axis) {
  const auto step = axis.factor > 0 ? static_cast<float>(1 / axis.factor)
                                    : static_cast<float>(axis.in) / static_cast<float>(axis.out);
  Taps taps;
  ForEachElement(axis.out, [&](int64_t o) {
    const float place = std::floor(static_cast<float>(o) * step);
    const bool inside = place < static_cast<float>(axis.in);
    taps.taps.push_back(
        {inside ? std::min(static_cast<int64_t>(place), axis.in - 1) : axis.in - 1, 1});
    taps.End();
  });
  return taps;
}

// The two nearest, by their distance.
Taps BilinearTaps(const Axis& axis, bool align_corners) {
  const double step = Step(axis, align_corners);
  const auto last = static_cast<double>(axis.in - 1);
  Taps taps;
  ForEachElement(axis.out, [&](int64_t o) {
    const auto number = static_cast<double>(o);
    const double place = align_corners ? number * step : std::max(0.0, (number + 0.5) * step - 0.5);
    const double low = std::min(std::floor(place), last);
    const double share = std::min(place - low, 1.0);
    const auto from = static_cast<int64_t>(low);
    taps.taps.push_back({from, 1 - share});
    taps.taps.push_back({std::min(from + 1, axis.in - 1), share});
    taps.End();
  });
  return taps;
}

// A triangle as wide as a step of the result, where that is more than a step of the image. None
// where the step does not fit the sizes: each of very many taps might take the whole image.
Taps AntialiasTaps(const Axis& axis, bool align_corners) {
  const double step = Step(axis, align_corners);
  const double reach = std::max(step, 1.0);
  const auto end = static_cast<double>(axis.in);
  Taps taps;
  if (step * static_cast<double>(axis.out) > 4 * (end + static_cast<double>(axis.out))) return taps;
  for (int64_t o = 0; o < axis.out; ++o) {
    const double center = step * (static_cast<double>(o) + 0.5);
    const auto first = static_cast<int64_t>(std::clamp(center - reach + 0.5, 0.0, end));
    const auto behind = static_cast<int64_t>(std::clamp(center + reach + 0.5, 0.0, end));
    const size_t begin = taps.taps.size();
    double total = 0;
    ForEachElement(behind - first, [&](int64_t i) {
      const double off = std::fabs(static_cast<double>(first + i) - center + 0.5) / reach;
      taps.taps.push_back({first + i, std::max(0.0, 1 - off)});
      total += taps.taps.back().weight;
    });
    for (Tap& tap : std::span(taps.taps).subspan(begin)) tap.weight /= total == 0 ? 1 : total;
    taps.End();
  }
  return taps;
}

std::array<double, 2> FactorsOf(const Call& call) {
  const auto factors = RealsAt(call, call.args.size() - 1);
  if (factors.size() != 2) return {0, 0};
  return {factors[0], factors[1]};
}

void Resample(const TensorValue& input, const Taps& rows, const Taps& columns,
              TensorValue& result) {
  const int64_t height = input.sizes[2];
  const int64_t width = input.sizes[3];
  const int64_t planes = input.sizes[0] * input.sizes[1];
  const auto of_row = static_cast<int64_t>(columns.taps.size());
  Paced pace(CappedProduct({planes, static_cast<int64_t>(rows.taps.size()), of_row}));
  int64_t next = 0;
  for (int64_t plane = 0; plane < planes; ++plane) {
    for (size_t row = 0; row < rows.ends.size(); ++row) {
      for (size_t column = 0; column < columns.ends.size(); ++column) {
        pace.Step(static_cast<int64_t>(rows[row].size() * columns[column].size()));
        double sum = 0;
        for (const Tap& y : rows[row]) {
          for (const Tap& x : columns[column]) {
            const double value = RealAt(input, (plane * height + y.from) * width + x.from);
            sum += y.weight * x.weight * value;
          }
        }
        SetReal(result, next++, sum);
      }
    }
  }
}

// The weights as integers in units of 1 / 2^bits, with as many bits as fit the largest into 16.
struct FixedPoint {
  Numbers<int64_t> weights;  // as Taps
  int bits = 0;
};

FixedPoint InFixedPoint(const Taps& taps) {
  double most = 0;
  for (const Tap& tap : taps.taps) most = std::max(most, tap.weight);
  FixedPoint fixed;
  while (fixed.bits < 22 && std::floor(std::ldexp(most, fixed.bits + 1) + 0.5) < 0x1p15) {
    ++fixed.bits;
  }
  for (const Tap& tap : taps.taps) {
    fixed.weights.push_back(std::llround(std::ldexp(tap.weight, fixed.bits)));
  }
  return fixed;
}

// Weighs one dimension of [outer, in, inner] bytes, rounding to bytes.
Numbers<int64_t> ResampleBytesAlong(const Numbers<int64_t>& bytes, int64_t in, int64_t inner,
                                    const Taps& taps) {
  const FixedPoint fixed = InFixedPoint(taps);
  const int64_t half = fixed.bits == 0 ? 0 : int64_t{1} << (fixed.bits - 1);
  const int64_t outer = static_cast<int64_t>(bytes.size()) / (in * inner);
  Paced pace(CappedProduct({outer, static_cast<int64_t>(taps.taps.size()), inner}));
  Numbers<int64_t> out;
  for (int64_t o = 0; o < outer; ++o) {
    size_t first = 0;
    for (const size_t end : taps.ends) {
      for (int64_t i = 0; i < inner; ++i) {
        pace.Step(static_cast<int64_t>(end - first));
        int64_t sum = half;
        for (size_t k = first; k < end; ++k) {
          const int64_t at = (o * in + taps.taps[k].from) * inner + i;
          sum += fixed.weights[k] * bytes[static_cast<size_t>(at)];
        }
        out.push_back(std::clamp<int64_t>(sum >> fixed.bits, 0, 255));
      }
      first = end;
    }
  }
  return out;
}

// Bytes are weighed in fixed point and rounded after the rows and again after the columns, as in
// PyTorch. The kernels truncate instead.
void ResampleBytes(const TensorValue& input, const Taps& rows, const Taps& columns,
                   TensorValue& result) {
  Numbers<int64_t> bytes;
  ForEachElement(ElementCount(input), [&](int64_t i) { bytes.push_back(IntAt(input, i)); });
  bytes = ResampleBytesAlong(bytes, input.sizes[3], 1, columns);
  bytes = ResampleBytesAlong(bytes, input.sizes[2], result.sizes[3], rows);
  ForEachElement(ElementCount(result),
                 [&](int64_t i) { SetInt(result, i, bytes[static_cast<size_t>(i)]); });
}

// Fills the result by the taps that `taps_of` gives for an axis.
template <class TapsOf>
std::string ResampleBy(const Call& call, std::array<double, 2> factors, TensorValue& result,
                       TapsOf taps_of) {
  const TensorValue& input = TensorAt(call, 0);
  if (ElementCount(result) == 0) return {};
  if (ElementCount(input) == 0) return "the input has no elements";
  const Taps rows = taps_of(Axis{input.sizes[2], result.sizes[2], factors[0]});
  const Taps columns = taps_of(Axis{input.sizes[3], result.sizes[3], factors[1]});
  if (rows.ends.empty() || columns.ends.empty()) return "a scale factor does not fit the sizes";
  if (input.dtype == ScalarType::kUInt8) {
    ResampleBytes(input, rows, columns, result);
  } else {
    Resample(input, rows, columns, result);
  }
  return {};
}

std::string Nearest(const Call& call, std::span<TensorValue> results) {
  return ResampleBy(call, FactorsOf(call), results[0], NearestTaps);
}

std::string Bilinear(const Call& call, std::span<TensorValue> results) {
  const bool align = BoolAt(call, 2);
  return ResampleBy(call, FactorsOf(call), results[0],
                    [&](const Axis& axis) { return BilinearTaps(axis, align); });
}

std::string Antialias(const Call& call, std::span<TensorValue> results) {
  const bool align = BoolAt(call, 2);
  const auto factor = [&](size_t i) { return IsNone(call, i) ? 0.0 : RealAt(call, i); };
  return ResampleBy(call, {factor(3), factor(4)}, results[0],
                    [&](const Axis& axis) { return AntialiasTaps(axis, align); });
}

constexpr OpMeaning kResampleMeanings[] = {
    RoundedFor(kResampleOrder, "aten::_upsample_bilinear2d_aa.out", AntialiasType, Antialias),
    RoundedFor(kResampleOrder, "aten::upsample_bilinear2d.vec_out", UpsampleType, Bilinear),
    Exact("aten::upsample_nearest2d.vec_out", UpsampleType, Nearest),
};

}  // namespace

std::span<const OpMeaning> ResampleMeanings() {
  return kResampleMeanings;
}

}  // namespace pteproof
