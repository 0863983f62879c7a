// Quantising and dequantising. Results are integers, which a last bit decides: the arithmetic is
// float32's, step by step.
#include "reference/ops/quantized.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/work.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kScale = "the scale may stay in float64 or be rounded to float32";

// A scale and a zero point for each channel. Element i is of channel (i / run) modulo their number.
struct Channels {
  int64_t run = 1;
  Numbers<double> scales;  // float32
  Numbers<double> zero_points;

  [[nodiscard]] size_t Of(int64_t i) const {
    return static_cast<size_t>(i / std::max<int64_t>(run, 1)) % scales.size();
  }
};
using ChannelsOrFault = Result<Channels, std::string>;

// Operands 1 and 2 hold the scales and the zero points of so many channels; no zero points: all 0.
ChannelsOrFault ChannelsIn(const Call& call, int64_t count, int64_t run) {
  const TensorValue& scales = TensorAt(call, 1);
  const TensorValue* zero_points = TensorOrNull(call, 2);
  if (!IsFloat(scales.dtype)) return std::string("the scales must be floats");
  if (zero_points != nullptr && !IsInteger(zero_points->dtype)) {
    return std::string("the zero points must be integers");
  }
  if (ElementCount(scales) != count ||
      (zero_points != nullptr && ElementCount(*zero_points) != count)) {
    return std::string("there must be one scale and one zero point for each channel");
  }
  Channels channels{run, {}, Numbers<double>(static_cast<size_t>(count), 0.0)};
  ForEachElement(count, [&](int64_t c) {
    channels.scales.push_back(Float32(RealAt(scales, c)));
    if (zero_points != nullptr) {
      channels.zero_points[static_cast<size_t>(c)] = static_cast<double>(IntAt(*zero_points, c));
    }
  });
  return channels;
}

ChannelsOrFault PerTensor(const Call& call) {
  if (std::holds_alternative<const TensorValue*>(call.args[1])) return ChannelsIn(call, 1, 1);
  return Channels{1, {Float32(RealAt(call, 1))}, {static_cast<double>(IntAt(call, 2))}};
}

// Operand 3 is the dimension of the channels.
ChannelsOrFault PerChannel(const Call& call) {
  const TensorValue& input = TensorAt(call, 0);
  const auto axis = Dimension(IntAt(call, 3), input.rank());
  if (!axis || input.rank() == 0) return std::string("the axis is not a dimension of the input");
  const auto at = static_cast<size_t>(*axis);
  return ChannelsIn(call, input.sizes[at], ElementCount(std::span(input.sizes).subspan(at + 1)));
}

// A token is a row of the last dimension.
ChannelsOrFault PerToken(const Call& call) {
  const TensorValue& input = TensorAt(call, 0);
  if (input.rank() == 0) return std::string("the input must have a dimension");
  const auto rows = std::span(input.sizes).first(input.sizes.size() - 1);
  return ChannelsIn(call, ElementCount(rows), input.sizes.back());
}

double Dequantised(int64_t code, double scale, double zero_point) {
  return Float32(Float32(static_cast<double>(code) - zero_point) * scale);
}

// Nearest integer (halves to even) of value / scale, moved by the zero point, within the range. NaN
// becomes 0, like other conversions of PyTorch; what the kernel makes of NaN and infinities is left
// open by C++.
int64_t Quantised(double value, double scale, double zero_point, QuantRange range) {
  const double scaled = std::nearbyint(Float32(Float32(1 / scale) * value));
  const double moved = Float32(Float32(zero_point) + scaled);
  if (std::isnan(moved)) return 0;
  const double low = std::max(moved, static_cast<double>(range.lo));
  return static_cast<int64_t>(std::min(low, static_cast<double>(range.hi)));
}

// The range in operands `at` and `at` + 1, which must lie in the element type's.
Result<QuantRange, std::string> RangeAt(const Call& call, size_t at, ScalarType dtype) {
  const auto all = RangeOf(dtype);
  if (!all) return "quantised numbers cannot be stored as " + std::string(Name(dtype));
  const QuantRange range{IntAt(call, at), IntAt(call, at + 1)};
  if (range.lo < all->lo || range.hi > all->hi || range.lo > range.hi) {
    return "the range must lie in that of " + std::string(Name(dtype));
  }
  return range;
}

// The first operand's sizes, and the element type in operand kDtype (None: float32).
template <size_t kDtype>
Types OfDtype(const TypeCall& call) {
  const auto dtype = DtypeOperand(call, kDtype, ScalarType::kFloat32);
  if (!dtype) return std::string("the dtype is not an element type");
  return OneResult(*dtype, TensorAt(call, 0).sizes);
}

// kRange: operand with the least value; the greatest and the element type follow.
template <ChannelsOrFault (*kChannels)(const Call&), size_t kRange>
std::string Quantize(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  if (!IsFloat(input.dtype)) return "the input must be a float";
  const auto range = RangeAt(call, kRange, results[0].dtype);
  if (!range.ok()) return range.error();
  const int64_t count = ElementCount(input);
  if (count == 0) return {};
  const auto channels = kChannels(call);
  if (!channels.ok()) return channels.error();
  ForEachElement(count, [&](int64_t i) {
    const size_t c = channels.value().Of(i);
    SetInt(results[0], i,
           Quantised(RealAt(input, i), channels.value().scales[c], channels.value().zero_points[c],
                     range.value()));
  });
  return {};
}

template <ChannelsOrFault (*kChannels)(const Call&), size_t kRange>
std::string Dequantize(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const auto range = RangeAt(call, kRange, input.dtype);
  if (!range.ok()) return range.error();
  if (IntAt(call, kRange + 2) != static_cast<int64_t>(input.dtype)) {
    return "the input is of another type than the operand dtype says";
  }
  if (!IsFloat(results[0].dtype)) return "the result must be a float";
  const int64_t count = ElementCount(input);
  if (count == 0) return {};
  const auto channels = kChannels(call);
  if (!channels.ok()) return channels.error();
  ForEachElement(count, [&](int64_t i) {
    const size_t c = channels.value().Of(i);
    SetReal(
        results[0], i,
        Dequantised(IntAt(input, i), channels.value().scales[c], channels.value().zero_points[c]));
  });
  return {};
}

// The operands of add: a tensor, its scale, zero point and range, at 0 and at 5, then those of the
// result without a tensor, at 10.
constexpr size_t kB = 5;
constexpr size_t kResult = 10;

Types AddTypes(const TypeCall& call) {
  if (TensorAt(call, 0) != TensorAt(call, kB)) {
    return std::string("the operands must be of one type and size");
  }
  return SameAsFirst(call);
}

std::string Add(const Call& call, std::span<TensorValue> results) {
  for (const size_t range : {size_t{3}, kB + 3}) {
    const auto checked = RangeAt(call, range, TensorAt(call, 0).dtype);
    if (!checked.ok()) return checked.error();
  }
  const auto range = RangeAt(call, kResult + 2, results[0].dtype);
  if (!range.ok()) return range.error();
  const auto part = [&](size_t at, int64_t i) {
    return Dequantised(IntAt(TensorAt(call, at), i), Float32(RealAt(call, at + 1)),
                       static_cast<double>(IntAt(call, at + 2)));
  };
  ForEachElement(ElementCount(results[0]), [&](int64_t i) {
    const double sum = Float32(part(0, i) + part(kB, i));
    SetInt(results[0], i,
           Quantised(sum, Float32(RealAt(call, kResult)),
                     static_cast<double>(IntAt(call, kResult + 1)), range.value()));
  });
  return {};
}

constexpr OpMeaning kQuantizedMeanings[] = {
    Exact("quantized_decomposed::quantize_per_tensor.out", OfDtype<5>, Quantize<PerTensor, 3>),
    Exact("quantized_decomposed::quantize_per_tensor.Tensor_out", OfDtype<5>,
          Quantize<PerTensor, 3>),
    Exact("quantized_decomposed::quantize_per_channel.out", OfDtype<6>, Quantize<PerChannel, 4>),
    Exact("quantized_decomposed::quantize_per_token.out", OfDtype<5>, Quantize<PerToken, 3>),
    RoundedFor(kScale, "quantized_decomposed::dequantize_per_tensor.out", OfDtype<6>,
               Dequantize<PerTensor, 3>),
    RoundedFor(kScale, "quantized_decomposed::dequantize_per_tensor.Tensor_out", OfDtype<6>,
               Dequantize<PerTensor, 3>),
    RoundedFor(kScale, "quantized_decomposed::dequantize_per_channel.out", OfDtype<7>,
               Dequantize<PerChannel, 4>),
    RoundedFor(kScale, "quantized_decomposed::dequantize_per_token.out", OfDtype<6>,
               Dequantize<PerToken, 3>),
    Exact("quantized_decomposed::add.out", AddTypes, Add),
};

}  // namespace

std::optional<ScalarType> DtypeOperand(const TypeCall& call, size_t i, ScalarType otherwise) {
  if (IsNone(call, i)) return otherwise;
  const auto number = ConstantAt(call, i);
  if (!number || *number < 0 || *number > INT8_MAX || !IsScalarType(static_cast<int>(*number))) {
    return std::nullopt;
  }
  return static_cast<ScalarType>(*number);
}

std::optional<QuantRange> RangeOf(ScalarType dtype) {
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

std::span<const OpMeaning> QuantizedMeanings() {
  return kQuantizedMeanings;
}

}  // namespace pteproof
