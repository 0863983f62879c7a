#include <limits>
#include <string>

#include "bench/nets/attention.h"
#include "bench/nets/layers.h"
#include "bench/nets/nets.h"

namespace pteproof::nets {
namespace {

using graph::Flag;
using graph::None;
using graph::Number;
using graph::Of;
using graph::Real;

// What all layers use of the position: the rows of the rotary tables, and which keys are not yet
// there.
struct At {
  ValueId position;  // int64 [1]
  ValueId cosine;    // [1, size / 2]
  ValueId sine;
  ValueId mask;  // [1, 1, positions]
};

ValueId Part(Layers& net, ValueId x, int64_t from, int64_t to) {
  return net.Call("aten::slice_copy.Tensor_out",
                  {Of(x), Number(-1), Number(from), Number(to), Number(1)});
}

// Turns each pair (x[i], x[i + half]) by the position's angle.
ValueId Rotated(Layers& net, ValueId x, const At& at) {
  const int64_t size = net.SizesOf(x).back();
  const ValueId a = Part(net, x, 0, size / 2);
  const ValueId b = Part(net, x, size / 2, size);
  const auto minus = [&](ValueId l, ValueId r) {
    return net.Call("aten::sub.out", {Of(l), Of(r), Number(1)});
  };
  const ValueId first = minus(net.Mul(a, at.cosine), net.Mul(b, at.sine));
  const ValueId second = net.Add(net.Mul(a, at.sine), net.Mul(b, at.cosine));
  return net.Call("aten::cat.out", {graph::List({Of(first), Of(second)}), Number(-1)});
}

ValueId Cached(Layers& net, const std::string& name, ValueId fresh, const DecoderShape& shape,
               const At& at) {
  const int64_t size = shape.width / shape.heads;
  const ValueId cache = net.State(name, {1, shape.heads, shape.positions, size}, true);
  const ValueId updated =
      net.Call("aten::index_put.out",
               {Of(cache), graph::List({None(), None(), Of(at.position)}), Of(fresh), Flag(false)});
  net.Store(cache, updated);
  return updated;
}

ValueId Layer(Layers& net, ValueId x, int64_t layer, const DecoderShape& shape, const At& at) {
  const ValueId normed = net.RmsNorm(x);
  const auto heads = [&] { return SplitHeads(net, net.Linear(normed, shape.width), shape.heads); };
  const std::string name = "layers." + std::to_string(layer);
  const ValueId q = Rotated(net, heads(), at);
  const ValueId k = Cached(net, name + ".k", Rotated(net, heads(), at), shape, at);
  const ValueId v = Cached(net, name + ".v", heads(), shape, at);
  const ValueId attended = JoinHeads(net, Attend(net, q, k, v, at.mask));
  const ValueId y = net.Add(x, net.Linear(attended, shape.width));
  const ValueId to_wide = net.RmsNorm(y);
  const ValueId gate = net.Linear(to_wide, 4 * shape.width);
  const ValueId open = net.Mul(gate, net.Call("aten::sigmoid.out", {Of(gate)}));
  const ValueId wide = net.Mul(open, net.Linear(to_wide, 4 * shape.width));
  return net.Add(y, net.Linear(wide, shape.width));
}

At Position(Layers& net, ValueId position, const DecoderShape& shape) {
  const int64_t half = shape.width / shape.heads / 2;
  const auto row = [&] {
    const ValueId table = net.Weight({shape.positions, half}, 0, 0.5);
    return net.Call("aten::index_select.out", {Of(table), Number(0), Of(position)});
  };
  At at = {.position = position, .cosine = row(), .sine = row(), .mask = -1};
  const ValueId all =
      net.Call("aten::arange.start_out", {Number(0), Number(shape.positions), Number(1)});
  const ValueId later = net.Call("aten::gt.Tensor_out", {Of(all), Of(position)});
  const auto number = [&](double value) {
    return net.Call("aten::full.out", {graph::List({}), Real(value)});
  };
  const ValueId never = number(-std::numeric_limits<double>::infinity());
  const ValueId mask = net.Call("aten::where.self_out", {Of(later), Of(never), Of(number(0))});
  at.mask = net.View(mask, {1, 1, shape.positions});
  return at;
}

}  // namespace

graph::Module Decoder(const DecoderShape& shape, std::optional<uint64_t> seed) {
  graph::Module module;
  graph::Method& method = module.methods.emplace_back();
  method.name = "step";
  Layers net(module, method, seed);
  const auto input = [&](const char* name, std::vector<SizeExpr> sizes) {
    return net.builder().AddInput(name, TensorType{ScalarType::kInt64, std::move(sizes)});
  };
  const ValueId token = input("token", {1, 1});
  const At at = Position(net, input("position", {1}), shape);
  const ValueId table = net.Weight({shape.vocabulary, shape.width}, 0, 1);
  ValueId x =
      net.Call("aten::embedding.out", {Of(table), Of(token), Number(-1), Flag(false), Flag(false)});
  for (int64_t layer = 0; layer < shape.layers; ++layer) x = Layer(net, x, layer, shape, at);
  method.body.results = {net.Linear(net.RmsNorm(x), shape.vocabulary)};
  return module;
}

}  // namespace pteproof::nets
