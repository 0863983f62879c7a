#include "bench/nets/layers.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace pteproof::nets {

using graph::Flag;
using graph::List;
using graph::None;
using graph::Number;
using graph::Of;
using graph::Real;

namespace {

TensorType Floats(const std::vector<int64_t>& sizes) {
  return {ScalarType::kFloat32, {sizes.begin(), sizes.end()}};
}

// Equal on every platform, unlike the standard library's distributions: the sum of twelve.
double Normal(std::mt19937_64& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += std::ldexp(static_cast<double>(random() >> 11), -53);
  return sum;
}

}  // namespace

graph::Operand Ints(const std::vector<int64_t>& numbers) {
  graph::OperandList items;
  for (const int64_t number : numbers) items.push_back(Number(number));
  return List(std::move(items));
}

std::vector<int64_t> Layers::SizesOf(ValueId v) const {
  std::vector<int64_t> sizes;
  for (const SizeExpr& size : builder_.TypeOf(v)->sizes) sizes.push_back(*size.Constant());
  return sizes;
}

ValueId Layers::Call(std::string_view op, std::vector<graph::Operand> operands) {
  return builder_.CallOne(op, std::move(operands)).value();
}

ValueId Layers::Weight(std::vector<int64_t> sizes, double mean, double deviation) {
  graph::Buffer buffer;
  buffer.name = "weight." + std::to_string(module_.buffers.size());
  buffer.type = Floats(sizes);
  if (random_) {
    buffer.initial = Zeros(ScalarType::kFloat32, sizes);
    for (int64_t i = 0; i < ElementCount(sizes); ++i) {
      SetReal(*buffer.initial, i, mean + deviation * Normal(*random_));
    }
  }
  module_.buffers.push_back(std::move(buffer));
  return builder_.AddEntry(static_cast<int32_t>(module_.buffers.size()) - 1, Floats(sizes));
}

ValueId Layers::State(std::string name, std::vector<int64_t> sizes, bool shared) {
  module_.buffers.push_back({std::move(name), Floats(sizes), std::nullopt, shared});
  return builder_.AddEntry(static_cast<int32_t>(module_.buffers.size()) - 1, Floats(sizes));
}

void Layers::Store(ValueId entry, ValueId value) {
  graph::Method& method = builder_.method();
  const auto at = std::ranges::find(method.buffers, entry, &graph::BufferEntry::value);
  method.stores.push_back({at->buffer, value});
}

ValueId Layers::Add(ValueId a, ValueId b) {
  return Call("aten::add.out", {Of(a), Of(b), Number(1)});
}

ValueId Layers::Mul(ValueId a, ValueId b) {
  return Call("aten::mul.out", {Of(a), Of(b)});
}

ValueId Layers::View(ValueId x, std::vector<int64_t> sizes) {
  return Call("aten::view_copy.out", {Of(x), Ints(sizes)});
}

ValueId Layers::Permute(ValueId x, std::vector<int64_t> dims) {
  return Call("aten::permute_copy.out", {Of(x), Ints(dims)});
}

ValueId Layers::Convolution(ValueId x, int64_t channels, int64_t kernel, int64_t stride,
                            int64_t groups) {
  const int64_t taken = SizesOf(x)[1] / groups;
  const double deviation = 1 / std::sqrt(static_cast<double>(taken * kernel * kernel));
  const ValueId weight = Weight({channels, taken, kernel, kernel}, 0, deviation);
  const int64_t padding = kernel / 2;
  return Call("aten::convolution.out",
              {Of(x), Of(weight), None(), Ints({stride, stride}), Ints({padding, padding}),
               Ints({1, 1}), Flag(false), Ints({0, 0}), Number(groups)});
}

ValueId Layers::BatchNorm(ValueId x) {
  const int64_t channels = SizesOf(x)[1];
  const ValueId weight = Weight({channels}, 1, 0.1);
  const ValueId bias = Weight({channels}, 0, 0.1);
  const ValueId mean = Weight({channels}, 0, 0.1);
  const ValueId variance = Weight({channels}, 1, 0.05);
  return Call("aten::_native_batch_norm_legit_no_training.out",
              {Of(x), Of(weight), Of(bias), Of(mean), Of(variance), Real(0.1), Real(1e-5)});
}

ValueId Layers::Linear(ValueId x, int64_t n) {
  std::vector<int64_t> sizes = SizesOf(x);
  const int64_t k = sizes.back();
  const int64_t rows = ElementCount(sizes) / k;
  const ValueId weight = Weight({n, k}, 0, 1 / std::sqrt(static_cast<double>(k)));
  const ValueId flat = sizes.size() == 2 ? x : View(x, {rows, k});
  const ValueId product = Call("aten::mm.out", {Of(flat), Of(Permute(weight, {1, 0}))});
  if (sizes.size() == 2) return product;
  sizes.back() = n;
  return View(product, std::move(sizes));
}

ValueId Layers::RmsNorm(ValueId x) {
  const ValueId weight = Weight({SizesOf(x).back()}, 1, 0.1);
  const ValueId mean = Call("aten::mean.out", {Of(Mul(x, x)), Ints({-1}), Flag(true), None()});
  const ValueId root = Call("aten::rsqrt.out",
                            {Of(Call("aten::add.Scalar_out", {Of(mean), Real(1e-5), Number(1)}))});
  return Mul(Mul(x, root), weight);
}

ValueId Layers::LayerNorm(ValueId x) {
  const int64_t last = SizesOf(x).back();
  const ValueId weight = Weight({last}, 1, 0.1);
  const ValueId bias = Weight({last}, 0, 0.1);
  return Call("aten::native_layer_norm.out",
              {Of(x), Ints({last}), Of(weight), Of(bias), Real(1e-5)});
}

ValueId Layers::Softmax(ValueId x) {
  return Call("aten::_softmax.out", {Of(x), Number(-1), Flag(false)});
}

}  // namespace pteproof::nets
