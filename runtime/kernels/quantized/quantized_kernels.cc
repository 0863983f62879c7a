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
#include "runtime/kernels/elementwise/elementwise.h"
#include "runtime/kernels/quantized/quantized.h"

namespace pteproof::kernels {
namespace {

constexpr KernelStatus kBadRange = "the range does not lie in that of the quantised type";
constexpr KernelStatus kBadChannels = "there must be one scale and one zero point for each channel";

// Arguments `a` and `a` + 1; nothing: they do not lie in that of the type.
std::optional<QuantRange> RangeAt(const KernelCall& call, size_t a, ScalarType dtype) {
  const auto all = RangeOfType(dtype);
  const QuantRange range = {IntAt(call, a), IntAt(call, a + 1)};
  if (!all || range.lo < all->lo || range.hi > all->hi || range.lo > range.hi) return std::nullopt;
  return range;
}

// Scales and zero points as regions beside the input: of no stride where one is for all.
struct QuantScales {
  LoneElement scale;
  LoneElement zero_point;
  Region scales;
  Region zero_points;

  [[nodiscard]] QuantScale At(CheckedPointer of_scale, CheckedPointer of_zero) const {
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
    scales.scales = {scale->dtype, scale->pointer(), 0, {}, {}};
    scales.zero_points = {zero_point->dtype, zero_point->pointer(), 0, {}, {}};
  } else {
    const RunValue& number = *call.args[1];
    const bool real = number.kind == ValueKind::kDouble;
    StoreElement(ScalarType::kFloat64, scales.scale.bytes(),
                 {true, 0, real ? number.real : static_cast<double>(number.integer)});
    StoreElement(ScalarType::kInt64, scales.zero_point.bytes(), {.integer = IntAt(call, 2)});
    scales.scales = {ScalarType::kFloat64, scales.scale.pointer(), 0, {}, {}};
    scales.zero_points = {ScalarType::kInt64, scales.zero_point.pointer(), 0, {}, {}};
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
    region = {tensor.dtype, tensor.pointer(), input.rank, input.sizes, {}};
    if (ElementCount(tensor) != input.sizes[d] || !IsRowMajor(tensor)) return false;
    region.strides[d] = ElementSize(tensor.dtype);
    return true;
  };
  if (!lay(TensorAt(call, 1), scales.scales)) return kBadChannels;
  if (!IsRealType(scales.scales.dtype)) return "the scales must be floats";
  if (const TensorRef* zero_points = TensorOrNull(call, 2)) {
    return lay(*zero_points, scales.zero_points) ? nullptr : kBadChannels;
  }
  scales.zero_points = {
      ScalarType::kInt64, scales.zero_point.pointer(), input.rank, input.sizes, {}};
  return nullptr;
}

// One for each row of the last dimension.
KernelStatus ScalesPerToken(const KernelCall& call, QuantScales& scales) {
  const Region input = WholeOf(TensorAt(call, 0));
  if (input.rank == 0) return "the input must have a dimension";
  const auto lay = [&](const TensorRef& tensor, Region& region) {
    region = {tensor.dtype, tensor.pointer(), input.rank, input.sizes, {}};
    int64_t stride = ElementSize(tensor.dtype);
    int64_t rows = 1;
    for (size_t d = input.rank - 1; d-- > 0;) {
      region.strides[d] = stride;
      stride *= input.sizes[d];
      rows *= input.sizes[d];
    }
    return ElementCount(tensor) == rows && IsRowMajor(tensor);
  };
  if (!lay(TensorAt(call, 1), scales.scales) || !lay(TensorAt(call, 2), scales.zero_points)) {
    return kBadChannels;
  }
  if (!IsRealType(scales.scales.dtype)) return "the scales must be floats";
  return IsIntegerType(scales.zero_points.dtype) ? nullptr : "the zero points must be integers";
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

struct ChosenScale {
  double scale = 0;
  int64_t zero_point = 0;
};

// Maps the least and the greatest element, and 0, into the range. Where all are 0 the scale is 0.1,
// and the zero point the end of the range that is nearer to 0.
KernelStatus ChooseFor(const Region& input, const QuantRange& range, ChosenScale& chosen) {
  double least = 0;
  double greatest = 0;
  bool finite = true;
  ForEachPlace(Walked<1>({input}), [&](const auto& at) {
    const auto value = LoadOne<double>(input.dtype, at[0]);
    finite = finite && std::isfinite(value);
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  });
  if (!finite) return "a scale cannot be chosen for NaN or infinity";
  const auto lo = static_cast<double>(range.lo);
  const auto hi = static_cast<double>(range.hi);
  chosen.scale = (greatest - least) / (hi - lo);
  chosen.zero_point = std::fabs(lo) < std::fabs(hi) ? range.lo : range.hi;
  const auto single = static_cast<float>(chosen.scale);
  if (single == 0 || std::isinf(1 / single)) {
    chosen.scale = 0.1;
  } else {
    const auto near = static_cast<float>(std::clamp(lo - least / chosen.scale, lo, hi));
    chosen.zero_point = static_cast<int64_t>(std::nearbyint(near));
    chosen.scale = std::max(chosen.scale, kLeastScale);
  }
  return nullptr;
}

KernelStatus ChooseScale(const KernelCall& call) {
  const TensorRef& input = TensorAt(call, 0);
  const QuantRange range = {IntAt(call, 1), IntAt(call, 2)};
  if (range.lo >= range.hi || range.lo < INT32_MIN || range.hi > INT32_MAX) return kBadRange;
  if (input.dtype != ScalarType::kFloat32) return "the input must be float32";
  if (ElementCount(input) == 0) return "there are no values to choose a scale from";
  ChosenScale chosen;
  if (const KernelStatus status = ChooseFor(WholeOf(input), range, chosen)) return status;
  StoreOne(TensorAt(call, 5).dtype, chosen.scale, TensorAt(call, 5).pointer());
  StoreOne(TensorAt(call, 6).dtype, chosen.zero_point, TensorAt(call, 6).pointer());
  return nullptr;
}

// One pair for each row of the last dimension.
KernelStatus SizesOfChosenRows(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  if (sizes.rank == 0) return "the input must have a dimension";
  sizes.sizes[sizes.rank - 1] = 1;
  const KernelStatus status = ResizeTo(TensorAt(call, 2), sizes);
  return status != nullptr ? status : ResizeTo(TensorAt(call, 3), sizes);
}

KernelStatus ChooseScalesOfRows(const KernelCall& call) {
  Region rows = WholeOf(TensorAt(call, 0));
  Region scales = WholeOf(TensorAt(call, 2));
  Region zero_points = WholeOf(TensorAt(call, 3));
  if (rows.dtype != ScalarType::kFloat32) return "the input must be float32";
  const size_t last = rows.rank - 1;
  Region row = {rows.dtype, {}, 1, {{rows.sizes[last]}}, {{rows.strides[last]}}};
  rows.rank = scales.rank = zero_points.rank = last;
  if (row.sizes[0] == 0 && ElementCount(TensorAt(call, 2)) > 0) {
    return "there are no values to choose a scale from";
  }
  const auto walk = WalkOf(rows, scales, zero_points);
  KernelStatus failed = nullptr;
  // All rows have a scale before any is stored.
  for (const bool stores : {false, true}) {
    if (failed != nullptr) return failed;
    ForEachPlace(walk, [&](const auto& at) {
      ChosenScale chosen;
      row.data = at[0];
      const KernelStatus status = ChooseFor(row, {INT8_MIN, INT8_MAX}, chosen);
      if (status != nullptr) failed = status;
      if (!stores) return;
      StoreOne(scales.dtype, chosen.scale, at[1]);
      StoreOne(zero_points.dtype, chosen.zero_point, at[2]);
    });
  }
  return nullptr;
}

// --- The sum of two quantised tensors, quantised.

// Arguments of an operand: its tensor, scale, zero point, least and greatest code; those of the
// result lack the tensor.
constexpr size_t kSecondSummand = 5;
constexpr size_t kSum = 9;

QuantScale ScaleBehind(const KernelCall& call, size_t a) {
  const ElementNumber scale = NumberOf(*call.args[a + 1]);
  const double real = scale.is_real ? scale.real : static_cast<double>(scale.integer);
  return {static_cast<float>(real), static_cast<float>(IntAt(call, a + 2))};
}

KernelStatus AddQuantized(const KernelCall& call) {
  const std::array<Region, 3> regions = {
      WholeOf(TensorAt(call, 0)), WholeOf(TensorAt(call, kSecondSummand)), WholeOf(OutOf(call))};
  const auto range = RangeAt(call, kSum + 3, regions[2].dtype);
  if (!range || !RangeAt(call, 3, regions[0].dtype) ||
      !RangeAt(call, kSecondSummand + 3, regions[1].dtype)) {
    return kBadRange;
  }
  bool fits = regions[0].dtype == regions[1].dtype && regions[0].rank == regions[1].rank;
  for (size_t d = 0; d < regions[0].rank; ++d) {
    fits = fits && regions[0].sizes[d] == regions[1].sizes[d];
  }
  if (!fits) return "the operands must be of one type and size";
  const QuantScale by_a = ScaleBehind(call, 0);
  const QuantScale by_b = ScaleBehind(call, kSecondSummand);
  const QuantScale by_sum = ScaleBehind(call, kSum);
  std::array<int64_t, kBlock> a;
  std::array<int64_t, kBlock> b;
  ForEachRun<kBlock>(Walked(regions), [&](const auto& at, const auto& strides, int64_t count) {
    LoadBlock(regions[0].dtype, at[0], strides[0], count, a.data());
    LoadBlock(regions[1].dtype, at[1], strides[1], count, b.data());
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      a[i] = Quantised(Dequantised(a[i], by_a) + Dequantised(b[i], by_b), by_sum, *range);
    }
    StoreBlock(regions[2].dtype, a.data(), count, at[2], strides[2]);
  });
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
    {"quantized_decomposed::quantize_per_token.out", AsFirst, Quantize<ScalesPerToken, 3>},
    {"quantized_decomposed::dequantize_per_token.out", AsFirst, Dequantize<ScalesPerToken, 3>},
    {"quantized_decomposed::choose_qparams.Tensor_out", SizesOfChosen, ChooseScale},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out", SizesOfChosenRows,
     ChooseScalesOfRows},
    {"quantized_decomposed::add.out", AsFirst, AddQuantized},
};

}  // namespace

std::span<const Kernel> QuantizedKernels() {
  return kQuantizedKernels;
}

}  // namespace pteproof::kernels
