// Normalisations: batch, group and layer norm. Each takes elements of one group to mean 0 and
// variance 1 and then scales and shifts them.
#include <algorithm>
#include <cmath>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kNormOrder = "kernels sum in the type and in another order";

using Reals = Numbers<double>;

// Whether an optional operand is None or has these sizes.
bool Fits(const TensorType* tensor, const SizeList& sizes) {
  return tensor == nullptr || MayBeEqual(tensor->sizes, sizes);
}

// Weight and bias are operands 1 and 2 where the input has channels.
std::string ChannelFault(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  if (!IsFloat(input.dtype)) return "the input must be of floats";
  if (input.rank() < 2) return "the input must have channels";
  const SizeList channels = {input.sizes[1]};
  if (!Fits(TensorOrNull(call, 1), channels) || !Fits(TensorOrNull(call, 2), channels)) {
    return "weight and bias must have one number for each channel";
  }
  return {};
}

// The saved statistics have no elements where running statistics are used.
Types RunningType(const TypeCall& call) {
  const std::string fault = ChannelFault(call);
  if (!fault.empty()) return fault;
  const TensorType& input = TensorAt(call, 0);
  const SizeList channels = {input.sizes[1]};
  if (!MayBeEqual(TensorAt(call, 3).sizes, channels) ||
      !MayBeEqual(TensorAt(call, 4).sizes, channels)) {
    return std::string("the statistics must have one number for each channel");
  }
  const TensorType none = {input.dtype, {0}};
  return std::vector<TensorType>{input, none, none};
}

Types RunningOrBatchType(const TypeCall& call) {
  if (BoolAt(call, 5)) return std::string("training is not supported");
  return RunningType(call);
}

Types BatchType(const TypeCall& call) {
  const std::string fault = ChannelFault(call);
  if (!fault.empty()) return fault;
  const TensorType& input = TensorAt(call, 0);
  const TensorType channels = {input.dtype, {input.sizes[1]}};
  return std::vector<TensorType>{input, channels, channels};
}

Types GroupType(const TypeCall& call) {
  const std::string fault = ChannelFault(call);
  if (!fault.empty()) return fault;
  const TensorType& input = TensorAt(call, 0);
  const auto groups = ConstantAt(call, 6);
  const SizeExpr area = Product(std::span(input.sizes).subspan(2));
  if (!MayBeEqual(IntAt(call, 3), input.sizes[0]) || !MayBeEqual(IntAt(call, 4), input.sizes[1]) ||
      !MayBeEqual(IntAt(call, 5), area)) {
    return std::string("N, C and HxW are not the input's sizes");
  }
  if (!groups || *groups < 1 || !Mod(input.sizes[1], *groups).Is(0)) {
    return std::string("the channels do not divide into the groups");
  }
  const TensorType saved = {input.dtype, {input.sizes[0], *groups}};
  return std::vector<TensorType>{input, saved, saved};
}

Types LayerType(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  const auto shape = IntsAt(call, 1);
  if (!IsFloat(input.dtype)) return std::string("the input must be of floats");
  if (shape.empty() || shape.size() > input.rank()) {
    return std::string("normalized_shape has no or too many dimensions");
  }
  const SizeList normalized(shape.begin(), shape.end());
  const size_t kept = input.rank() - shape.size();
  if (!MayBeEqual(std::span(input.sizes).subspan(kept), normalized)) {
    return std::string("normalized_shape is not the end of the input's sizes");
  }
  if (!Fits(TensorOrNull(call, 2), normalized) || !Fits(TensorOrNull(call, 3), normalized)) {
    return std::string("weight and bias must have the normalized shape");
  }
  TensorType saved = input;
  std::fill(saved.sizes.begin() + static_cast<std::ptrdiff_t>(kept), saved.sizes.end(), 1);
  return std::vector<TensorType>{input, saved, saved};
}

Reals RealsOr(const TensorValue* tensor, size_t count, double otherwise) {
  return tensor == nullptr ? Reals(count, otherwise) : Elements<double>(*tensor);
}

// Mean and 1 / sqrt(variance + eps) of a group.
struct Statistics {
  double mean = 0;
  double scale = 0;
};

// `for_each` calls its argument with the position of each of the `count` elements. Of none the mean
// is 0 and the scale NaN.
template <class ForEach>
Statistics StatisticsOf(const TensorValue& input, int64_t count, double eps, ForEach for_each) {
  Statistics s;
  double sum = 0;
  Paced pace(CappedProduct({2, count + 1}));
  for_each([&](int64_t i) {
    pace.Step();
    sum += RealAt(input, i);
  });
  s.mean = count == 0 ? 0 : sum / static_cast<double>(count);
  double squares = 0;
  for_each([&](int64_t i) {
    pace.Step();
    const double off = RealAt(input, i) - s.mean;
    squares += off * off;
  });
  s.scale = 1 / std::sqrt(squares / static_cast<double>(count) + eps);
  return s;
}

// An input seen as [batch, channels, area].
struct Planes {
  int64_t batch = 0;
  int64_t channels = 0;
  int64_t area = 1;
};

Planes PlanesOf(const TensorValue& input) {
  Planes planes = {input.sizes[0], input.sizes[1], 1};
  // Without elements the area may be beyond 64 bits, and nothing asks for it.
  if (ElementCount(input) == 0) planes.batch = planes.area = 0;
  for (size_t d = 2; d < input.sizes.size(); ++d) planes.area *= input.sizes[d];
  return planes;
}

// Element i of every channel by the statistics that `of` gives for its position.
template <class Of>
void NormalizeChannels(const Call& call, TensorValue& result, Of of) {
  const TensorValue& input = TensorAt(call, 0);
  const int64_t count = ElementCount(input);
  if (count == 0) return;
  const Planes planes = PlanesOf(input);
  const auto weight = RealsOr(TensorOrNull(call, 1), static_cast<size_t>(planes.channels), 1);
  const auto bias = RealsOr(TensorOrNull(call, 2), static_cast<size_t>(planes.channels), 0);
  ForEachElement(count, [&](int64_t i) {
    const auto channel = static_cast<size_t>(i / planes.area % planes.channels);
    const Statistics& s = of(i / planes.area);
    SetReal(result, i, (RealAt(input, i) - s.mean) * s.scale * weight[channel] + bias[channel]);
  });
}

// Normalises by the statistics of whole training, given for each channel. `eps` is the last
// operand.
std::string ByRunning(const Call& call, std::span<TensorValue> results) {
  const auto means = Elements<double>(TensorAt(call, 3));
  const auto variances = Elements<double>(TensorAt(call, 4));
  const double eps = RealAt(call, call.args.size() - 1);
  Numbers<Statistics> channels;
  for (size_t c = 0; c < means.size(); ++c) {
    channels.push_back({means[c], 1 / std::sqrt(variances[c] + eps)});
  }
  NormalizeChannels(call, results[0], [&](int64_t plane) -> const Statistics& {
    return channels[static_cast<size_t>(plane) % channels.size()];
  });
  return {};
}

void Save(const Numbers<Statistics>& groups, std::span<TensorValue> results) {
  for (size_t g = 0; g < groups.size(); ++g) {
    SetReal(results[1], static_cast<int64_t>(g), groups[g].mean);
    SetReal(results[2], static_cast<int64_t>(g), groups[g].scale);
  }
}

// Normalises each channel over the whole batch.
std::string ByBatch(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const Planes planes = PlanesOf(input);
  Numbers<Statistics> channels;
  for (int64_t c = 0; c < planes.channels; ++c) {
    const auto for_each = [&](auto each) {
      for (int64_t n = 0; n < planes.batch; ++n) {
        const int64_t first = (n * planes.channels + c) * planes.area;
        for (int64_t i = 0; i < planes.area; ++i) each(first + i);
      }
    };
    channels.push_back(StatisticsOf(input, planes.batch * planes.area, RealAt(call, 5), for_each));
  }
  NormalizeChannels(call, results[0], [&](int64_t plane) -> const Statistics& {
    return channels[static_cast<size_t>(plane) % channels.size()];
  });
  Save(channels, results);
  return {};
}

// The statistics of `count` groups of neighbours.
Numbers<Statistics> OfNeighbours(const TensorValue& input, int64_t count, int64_t size,
                                 double eps) {
  Numbers<Statistics> groups;
  for (int64_t g = 0; g < count; ++g) {
    groups.push_back(StatisticsOf(input, size, eps, [&](auto each) {
      for (int64_t i = g * size; i < (g + 1) * size; ++i) each(i);
    }));
  }
  return groups;
}

// Normalises groups of channels of each image.
std::string ByGroup(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const Planes planes = PlanesOf(input);
  const int64_t together = planes.channels / IntAt(call, 6);
  const auto groups =
      OfNeighbours(input, ElementCount(results[1]), together * planes.area, RealAt(call, 7));
  NormalizeChannels(call, results[0], [&](int64_t plane) -> const Statistics& {
    return groups[static_cast<size_t>(plane / together)];
  });
  Save(groups, results);
  return {};
}

// Normalises over the last dimensions.
std::string ByLayer(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  // Without elements the normalized shape may have more than can be counted.
  const bool empty = ElementCount(input) == 0;
  const auto size = static_cast<size_t>(empty ? 0 : ElementCount(IntsAt(call, 1)));
  const auto groups =
      OfNeighbours(input, ElementCount(results[1]), static_cast<int64_t>(size), RealAt(call, 4));
  if (empty) {
    Save(groups, results);
    return {};
  }
  const auto weight = RealsOr(TensorOrNull(call, 2), size, 1);
  const auto bias = RealsOr(TensorOrNull(call, 3), size, 0);
  ForEachElement(ElementCount(input), [&](int64_t at) {
    const auto i = static_cast<size_t>(at);
    const Statistics& s = groups[i / size];
    const double normal = (RealAt(input, at) - s.mean) * s.scale;
    SetReal(results[0], at, normal * weight[i % size] + bias[i % size]);
  });
  Save(groups, results);
  return {};
}

constexpr OpMeaning kNormMeanings[] = {
    RoundedFor(kNormOrder, "aten::_native_batch_norm_legit.out", RunningOrBatchType, ByRunning),
    RoundedFor(kNormOrder, "aten::_native_batch_norm_legit_no_training.out", RunningType,
               ByRunning),
    RoundedFor(kNormOrder, "aten::_native_batch_norm_legit.no_stats_out", BatchType, ByBatch),
    RoundedFor(kNormOrder, "aten::native_group_norm.out", GroupType, ByGroup),
    RoundedFor(kNormOrder, "aten::native_layer_norm.out", LayerType, ByLayer),
};

}  // namespace

std::span<const OpMeaning> NormMeanings() {
  return kNormMeanings;
}

}  // namespace pteproof
