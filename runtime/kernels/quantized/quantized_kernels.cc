// Quantising and dequantising. A last bit decides the integers: the arithmetic is float32's, step
// by step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {
namespace {

constexpr KernelStatus kBadRange = "the range does not lie in that of the quantised type";
constexpr KernelStatus kBadChannels = "there must be one scale and one zero point for each channel";

struct QuantRange {
  int64_t lo = 0;
  int64_t hi = 0;
};

// All values of an element type that quantised numbers are stored in.
std::optional<QuantRange> RangeOfType(ScalarType dtype) {
  switch (dtype) {
    case ScalarType::kUInt8:
      return QuantRange{0, UINT8_MAX};
    case ScalarType::kInt8:
      return QuantRange{INT8_MIN, INT8_MAX};
    case ScalarType::kUInt16:
    case ScalarType::kBits16:
      return QuantRange{0, UINT16_MAX};
    case ScalarType::kInt16:
      return QuantRange{INT16_MIN, INT16_MAX};
    case ScalarType::kInt32:
      return QuantRange{INT32_MIN, INT32_MAX};
    default:
      return std::nullopt;
  }
}

// Arguments `a` and `a` + 1; nothing: they do not lie in that of the type.
std::optional<QuantRange> RangeAt(const KernelCall& call, size_t a, ScalarType dtype) {
  const auto all = RangeOfType(dtype);
  const QuantRange range = {IntAt(call, a), IntAt(call, a + 1)};
  if (!all || range.lo < all->lo || range.hi > all->hi || range.lo > range.hi) return std::nullopt;
  return range;
}

struct QuantScale {
  float scale = 1;
  float zero_point = 0;
};

// The nearest whole number, halves to even.
float RoundedToWhole(float x) {
  constexpr float kShift =
      12582912.0F;  // 1.5 * 2^23: added to a small number it leaves a whole one
  if (!(std::abs(x) < 0x1p22F)) return std::nearbyint(x);
  return (x + kShift) - kShift;
}

// Nearest integer, halves to even, within the range. NaN becomes 0.
int64_t Quantised(float value, const QuantScale& by, const QuantRange& range) {
  const float scaled = RoundedToWhole(1 / by.scale * value);
  const float moved = by.zero_point + scaled;
  if (std::isnan(moved)) return 0;
  const double low = std::max(static_cast<double>(moved), static_cast<double>(range.lo));
  return static_cast<int64_t>(std::min(low, static_cast<double>(range.hi)));
}

float Dequantised(int64_t code, const QuantScale& by) {
  const double moved = static_cast<double>(code) - static_cast<double>(by.zero_point);
  return static_cast<float>(moved) * by.scale;
}

// Scales and zero points as regions beside the input: of no stride where one is for all.
struct QuantScales {
  std::array<std::byte, 8> scale;
  std::array<std::byte, 8> zero_point = {};
  Region scales;
  Region zero_points;

  [[nodiscard]] QuantScale At(const std::byte* of_scale, const std::byte* of_zero) const {
    return {static_cast<float>(LoadOne<double>(scales.dtype, of_scale)),
            static_cast<float>(LoadOne<int64_t>(zero_points.dtype, of_zero))};
  }
};

// From numbers or tensors of one element, in arguments 1 and 2.
KernelStatus ScalesPerTensor(const KernelCall& call, QuantScales& scales) {
  const Region input = WholeOf(TensorAt(call, 0));
  const TensorRef* scale = TensorOrNull(call, 1);
  const TensorRef* zero_point = TensorOrNull(call, 2);
  if (scale != nullptr) {
    if (ElementCount(*scale) != 1 || ElementCount(*zero_point) != 1) return kBadChannels;
    if (!IsRealType(scale->dtype)) return "the scales must be floats";
    scales.scales = {scale->dtype, scale->data, 0, {}, {}};
    scales.zero_points = {zero_point->dtype, zero_point->data, 0, {}, {}};
  } else {
    const RunValue& number = *call.args[1];
    const bool real = number.kind == ValueKind::kDouble;
    StoreOne(ScalarType::kFloat64, real ? number.real : static_cast<double>(number.integer),
             scales.scale.data());
    StoreOne(ScalarType::kInt64, IntAt(call, 2), scales.zero_point.data());
    scales.scales = {ScalarType::kFloat64, scales.scale.data(), 0, {}, {}};
    scales.zero_points = {ScalarType::kInt64, scales.zero_point.data(), 0, {}, {}};
  }
  const bool spread = Spread(scales.scales, input) && Spread(scales.zero_points, input);
  return spread ? nullptr : kBadChannels;
}

// A list for the dimension in argument 3; no zero points: all are 0.
KernelStatus ScalesPerChannel(const KernelCall& call, QuantScales& scales) {
  const Region input = WholeOf(TensorAt(call, 0));
  const int64_t axis = DimensionOf(IntAt(call, 3), input.rank);
  if (axis < 0) return "the axis is not a dimension of the input";
  const auto d = static_cast<size_t>(axis);
  const auto lay = [&](const TensorRef& tensor, Region& region) {
    region = {tensor.dtype, tensor.data, input.rank, input.sizes, {}};
    if (ElementCount(tensor) != input.sizes[d] || !IsRowMajor(tensor)) return false;
    region.strides[d] = ElementSize(tensor.dtype);
    return true;
  };
  if (!lay(TensorAt(call, 1), scales.scales)) return kBadChannels;
  if (!IsRealType(scales.scales.dtype)) return "the scales must be floats";
  if (const TensorRef* zero_points = TensorOrNull(call, 2)) {
    return lay(*zero_points, scales.zero_points) ? nullptr : kBadChannels;
  }
  scales.zero_points = {ScalarType::kInt64, scales.zero_point.data(), input.rank, input.sizes, {}};
  return nullptr;
}

// Goes over the input, the result and the scales, block by block: each(number, scale) is stored.
template <class From, class To, class Each>
void ForEachScaled(const KernelCall& call, const QuantScales& scales, const Each& each) {
  const std::array<Region, 4> regions = {WholeOf(TensorAt(call, 0)), WholeOf(OutOf(call)),
                                         scales.scales, scales.zero_points};
  std::array<From, kBlock> in;
  std::array<To, kBlock> out;
  ForEachRun<kBlock>(Walked(regions), [&](const auto& at, const auto& strides, int64_t count) {
    LoadBlock(regions[0].dtype, at[0], strides[0], count, in.data());
    QuantScale by = scales.At(at[2], at[3]);
    const bool varies = strides[2] != 0 || strides[3] != 0;
    for (int64_t i = 0; i < count; ++i) {
      if (varies && i > 0) by = scales.At(at[2] + i * strides[2], at[3] + i * strides[3]);
      out[static_cast<size_t>(i)] = each(in[static_cast<size_t>(i)], by);
    }
    StoreBlock(regions[1].dtype, out.data(), count, at[1], strides[1]);
  });
}

using ScalesOf = KernelStatus (*)(const KernelCall& call, QuantScales& scales);

// kRange: the argument with the least value.
template <ScalesOf scales_of, size_t kRange>
KernelStatus Quantize(const KernelCall& call) {
  const ScalarType from = TensorAt(call, 0).dtype;
  const ScalarType to = OutOf(call).dtype;
  const auto range = RangeAt(call, kRange, to);
  if (!IsRealType(from)) return "the input must be a float";
  if (!range) return kBadRange;
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  QuantScales scales;
  if (const KernelStatus status = scales_of(call, scales)) return status;
  ForEachScaled<double, int64_t>(call, scales, [&](double value, const QuantScale& by) {
    return Quantised(static_cast<float>(value), by, *range);
  });
  return nullptr;
}

template <ScalesOf scales_of, size_t kRange>
KernelStatus Dequantize(const KernelCall& call) {
  const ScalarType from = TensorAt(call, 0).dtype;
  const ScalarType to = OutOf(call).dtype;
  if (!RangeAt(call, kRange, from)) return kBadRange;
  if (IntAt(call, kRange + 2) != static_cast<int64_t>(from)) {
    return "the input is of another type than the argument dtype says";
  }
  if (!IsRealType(to)) return "the result must be a float";
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  QuantScales scales;
  if (const KernelStatus status = scales_of(call, scales)) return status;
  ForEachScaled<int64_t, double>(call, scales, [&](int64_t code, const QuantScale& by) {
    return static_cast<double>(Dequantised(code, by));
  });
  return nullptr;
}

// --- Choosing a scale that holds a tensor's values.

// Smaller ones are raised: their reciprocals overflow in 16 bits.
constexpr double kLeastScale = 6.1e-5F;

KernelStatus SizesOfChosen(const KernelCall& call) {
  constexpr std::array<int64_t, 1> kOne = {1};
  const KernelStatus status = Resize(TensorAt(call, 5), kOne);
  return status != nullptr ? status : Resize(TensorAt(call, 6), kOne);
}

// Maps the least and the greatest element, and 0, into the range. Where all are 0 the scale is 0.1,
// and the zero point the end of the range that is nearer to 0.
KernelStatus ChooseScale(const KernelCall& call) {
  const TensorRef& input = TensorAt(call, 0);
  const QuantRange range = {IntAt(call, 1), IntAt(call, 2)};
  if (range.lo >= range.hi || range.lo < INT32_MIN || range.hi > INT32_MAX) return kBadRange;
  if (input.dtype != ScalarType::kFloat32) return "the input must be float32";
  if (ElementCount(input) == 0) return "there are no values to choose a scale from";
  double least = 0;
  double greatest = 0;
  bool finite = true;
  ForEachPlace(Walked<1>({WholeOf(input)}), [&](const auto& at) {
    const auto value = LoadOne<double>(input.dtype, at[0]);
    finite = finite && std::isfinite(value);
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  });
  if (!finite) return "a scale cannot be chosen for NaN or infinity";
  const auto lo = static_cast<double>(range.lo);
  const auto hi = static_cast<double>(range.hi);
  double scale = (greatest - least) / (hi - lo);
  int64_t zero_point = std::fabs(lo) < std::fabs(hi) ? range.lo : range.hi;
  const auto single = static_cast<float>(scale);
  if (single == 0 || std::isinf(1 / single)) {
    scale = 0.1;
  } else {
    const auto near = static_cast<float>(std::clamp(lo - least / scale, lo, hi));
    zero_point = static_cast<int64_t>(std::nearbyint(near));
    scale = std::max(scale, kLeastScale);
  }
  StoreOne(TensorAt(call, 5).dtype, scale, TensorAt(call, 5).data);
  StoreOne(TensorAt(call, 6).dtype, zero_point, TensorAt(call, 6).data);
  return nullptr;
}

constexpr Kernel kQuantizedKernels[] = {
    {"quantized_decomposed::quantize_per_tensor.out", AsFirst, Quantize<ScalesPerTensor, 3>},
    {"quantized_decomposed::quantize_per_tensor.Tensor_out", AsFirst, Quantize<ScalesPerTensor, 3>},
    {"quantized_decomposed::quantize_per_channel.out", AsFirst, Quantize<ScalesPerChannel, 4>},
    {"quantized_decomposed::dequantize_per_tensor.out", AsFirst, Dequantize<ScalesPerTensor, 3>},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_out", AsFirst,
     Dequantize<ScalesPerTensor, 3>},
    {"quantized_decomposed::dequantize_per_channel.out", AsFirst, Dequantize<ScalesPerChannel, 4>},
    {"quantized_decomposed::choose_qparams.Tensor_out", SizesOfChosen, ChooseScale},
};

}  // namespace

std::span<const Kernel> QuantizedKernels() {
  return kQuantizedKernels;
}

}  // namespace pteproof::kernels
