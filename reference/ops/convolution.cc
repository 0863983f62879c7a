// Convolutions of one and two dimensions, transposed ones, and their gradients: each is a walk over
// products (convolution_walk.h) with another operand taking the sums.
#include <algorithm>

#include "reference/ops/convolution_walk.h"
#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kConvolutionOrder =
    "kernels add the products in the type and in another order";

using GeometryOrFault = Result<Geometry, std::string>;

// `first` is the operand `stride`; the others follow in the signature's order.
template <class Arg>
GeometryOrFault GeometryOf(const CallOf<Arg>& call, size_t first,
                           std::span<const IntOfArg<Arg>> w) {
  const size_t spatial = w.size() - 2;
  if (w.size() != 3 && w.size() != 4) return std::string("one or two dimensions are supported");
  Geometry geometry;
  geometry.transposed = BoolAt(call, first + 3);
  std::vector<int64_t> kernel;
  for (const auto& size : w.subspan(2)) kernel.push_back(NumberIn(size).value_or(-1));
  const auto kernels = PairOf(kernel, spatial, 1, 1);
  const auto stride = PairAt(call, first, spatial, 1, 1, Pair{1, 1});
  const auto padding = PairAt(call, first + 1, spatial, 0, 0, Pair{0, 0});
  const auto dilation = PairAt(call, first + 2, spatial, 1, 1, Pair{1, 1});
  const auto added = PairAt(call, first + 4, spatial, 0, 0, Pair{0, 0});
  if (!kernels || !stride || !padding || !dilation || !added) {
    return std::string("kernel, stride, padding or dilation is out of range");
  }
  const auto groups = NumberIn(IntAt(call, first + 5));
  const auto outputs = NumberIn(w[0]);
  if (!groups || !outputs || *groups < 1 || *outputs % *groups != 0) {
    return std::string("the channels do not divide into the groups");
  }
  for (size_t d = 0; d < 2 && geometry.transposed; ++d) {
    if ((*added)[d] >= std::max((*stride)[d], (*dilation)[d])) {
      return std::string("the output padding is not below stride or dilation");
    }
  }
  geometry.window = {*kernels, *stride, *padding, *dilation};
  geometry.output_padding = *added;
  geometry.groups = *groups;
  return geometry;
}

// Sizes of the result for an input of these sizes.
SizesOrFault ConvolvedSizes(std::span<const SizeExpr> input, std::span<const SizeExpr> weight,
                            const Geometry& geometry) {
  const SizeExpr& inputs = weight[geometry.transposed ? 0 : 1];
  if (input.size() != weight.size()) return std::string("input and weight differ in rank");
  if (!MayBeEqual(input[1], geometry.transposed ? inputs : inputs * geometry.groups)) {
    return std::string("the input's channels are not the weight's");
  }
  SizeList sizes = {input[0], geometry.transposed ? weight[1] * geometry.groups : weight[0]};
  for (size_t i = 2; i < input.size(); ++i) {
    const size_t d = i + 2 - input.size();
    const Window& window = geometry.window;
    sizes.push_back(geometry.transposed
                        ? (input[i] - 1) * window.stride[d] - 2 * window.padding[d] +
                              window.Reach(d) + geometry.output_padding[d]
                        : WindowCount(input[i], window, d));
    if (IsBelowOne(sizes.back())) return std::string("the kernel is larger than the padded input");
  }
  return sizes;
}

Types ConvolutionType(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  const TensorType& weight = TensorAt(call, 1);
  const TensorType* bias = TensorOrNull(call, 2);
  if (input.dtype != weight.dtype) return std::string("the operands have different element types");
  const auto geometry = GeometryOf(call, 3, std::span(weight.sizes));
  if (!geometry.ok()) return geometry.error();
  SizesOrFault sizes = ConvolvedSizes(input.sizes, weight.sizes, geometry.value());
  if (!sizes.ok()) return sizes.error();
  if (bias != nullptr && !MayBeEqual(bias->sizes, SizeList{sizes.value()[1]})) {
    return std::string("the bias does not have one number for each output channel");
  }
  return OneResult(input.dtype, std::move(sizes).value());
}

// Gradients that are masked out have no elements.
Types BackwardType(const TypeCall& call) {
  const TensorType& grad = TensorAt(call, 0);
  const TensorType& input = TensorAt(call, 1);
  const TensorType& weight = TensorAt(call, 2);
  const auto& mask = std::get<std::vector<bool>>(call.args[10]);
  if (grad.dtype != input.dtype || input.dtype != weight.dtype) {
    return std::string("the operands have different element types");
  }
  const auto geometry = GeometryOf(call, 4, std::span(weight.sizes));
  if (!geometry.ok()) return geometry.error();
  const SizesOrFault sizes = ConvolvedSizes(input.sizes, weight.sizes, geometry.value());
  if (!sizes.ok()) return sizes.error();
  if (!MayBeEqual(sizes.value(), grad.sizes))
    return std::string("the gradient has not the result's sizes");
  if (mask.size() != 3) return std::string("the output mask must have three entries");
  std::vector<TensorType> types = {input, weight, {grad.dtype, {grad.sizes[1]}}};
  for (size_t r = 0; r < 3; ++r) {
    if (!mask[r]) types[r].sizes = {0};
  }
  return types;
}

// Every channel's plane filled with its bias.
template <class T>
Numbers<T> Biases(const TensorValue* bias, const Image& image, int64_t count) {
  Numbers<T> planes(static_cast<size_t>(count));
  if (bias == nullptr) return planes;
  const auto area = static_cast<size_t>(image.Area());
  const auto biases = Elements<T>(*bias);
  ForEachElement(count, [&](int64_t i) {
    const auto at = static_cast<size_t>(i);
    planes[at] = biases[at / area % biases.size()];
  });
  return planes;
}

std::string Convolve(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const TensorValue& weight = TensorAt(call, 1);
  const auto geometry = GeometryOf(call, 3, std::span<const int64_t>(weight.sizes));
  if (!geometry.ok()) return geometry.error();
  if (ElementCount(results[0]) == 0) return {};
  const bool transposed = geometry.value().transposed;
  const Image in = ImageOf(input);
  const Image out = ImageOf(results[0]);
  WithNumbers(input.dtype, [&](auto zero) {
    using T = decltype(zero);
    const ElementReader<T> weights = {weight};
    const auto given = Elements<T>(input);
    auto sums = Biases<T>(TensorOrNull(call, 2), out, ElementCount(results[0]));
    const Sums<T> walk = {geometry.value(), transposed ? in : out, transposed ? out : in};
    if (transposed) {
      walk.IntoBig(weights, given.data(), sums.data());
    } else {
      walk.IntoSmall(weights, sums.data(), given.data());
    }
    SetElements(results[0], sums);
  });
  return {};
}

// The gradients of input, weight and bias, into those results that are wanted.
template <class T>
void Gradients(const Call& call, const Geometry& geometry, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 1);
  const TensorValue& weight = TensorAt(call, 2);
  const Image in = ImageOf(input);
  const Image out = ImageOf(TensorAt(call, 0));
  const auto& mask = std::get<std::vector<bool>>(call.args[10]);
  const bool transposed = geometry.transposed;
  const Sums<T> walk = {geometry, transposed ? in : out, transposed ? out : in};
  const auto grad = Elements<T>(TensorAt(call, 0));
  const auto given = Elements<T>(input);
  const auto weights = Elements<T>(weight);
  if (mask[0]) {
    Numbers<T> sums(given.size());
    if (transposed) {
      walk.IntoSmall(weights.data(), sums.data(), grad.data());
    } else {
      walk.IntoBig(weights.data(), grad.data(), sums.data());
    }
    SetElements(results[0], sums);
  }
  if (mask[1]) {
    Numbers<T> sums(weights.size());
    walk.IntoWeight(sums.data(), (transposed ? given : grad).data(),
                    (transposed ? grad : given).data());
    SetElements(results[1], sums);
  }
  if (mask[2]) {
    Numbers<T> sums(static_cast<size_t>(out.channels));
    const auto area = static_cast<size_t>(out.Area());
    ForEachElement(static_cast<int64_t>(grad.size()), [&](int64_t i) {
      const auto at = static_cast<size_t>(i);
      sums[at / area % sums.size()] += grad[at];
    });
    SetElements(results[2], sums);
  }
}

std::string Backward(const Call& call, std::span<TensorValue> results) {
  const TensorValue& weight = TensorAt(call, 2);
  const auto geometry = GeometryOf(call, 4, std::span<const int64_t>(weight.sizes));
  if (!geometry.ok()) return geometry.error();
  WithNumbers(weight.dtype,
              [&](auto zero) { Gradients<decltype(zero)>(call, geometry.value(), results); });
  return {};
}

constexpr OpMeaning kConvolutionMeanings[] = {
    RoundedFor(kConvolutionOrder, "aten::convolution.out", ConvolutionType, Convolve),
    RoundedFor(kConvolutionOrder, "aten::convolution_backward.out", BackwardType, Backward),
};

}  // namespace

std::span<const OpMeaning> ConvolutionMeanings() {
  return kConvolutionMeanings;
}

}  // namespace pteproof
