#include <string>

#include "bench/nets/attention.h"
#include "bench/nets/layers.h"
#include "bench/nets/nets.h"

namespace pteproof::nets {
namespace {

using graph::Of;

ValueId Layer(Layers& net, ValueId x, const EncoderShape& shape) {
  const ValueId normed = net.LayerNorm(x);
  const auto heads = [&] { return SplitHeads(net, net.Linear(normed, shape.width), shape.heads); };
  const ValueId q = heads();
  const ValueId k = heads();
  const ValueId v = heads();
  const ValueId attended = JoinHeads(net, Attend(net, q, k, v, -1));
  const ValueId y = net.Add(x, net.Linear(attended, shape.width));
  const ValueId wide = net.Linear(net.LayerNorm(y), 4 * shape.width);
  const ValueId bent = net.Call("aten::gelu.out", {Of(wide), graph::Operand{std::string("none")}});
  return net.Add(y, net.Linear(bent, shape.width));
}

}  // namespace

graph::Module Encoder(const EncoderShape& shape, std::optional<uint64_t> seed) {
  graph::Module module;
  graph::Method& method = module.methods.emplace_back();
  method.name = "forward";
  Layers net(module, method, seed);
  ValueId x =
      net.builder().AddInput("x", TensorType{ScalarType::kFloat32, {1, shape.tokens, shape.width}});
  for (int64_t layer = 0; layer < shape.layers; ++layer) x = Layer(net, x, shape);
  method.body.results = {net.LayerNorm(x)};
  return module;
}

}  // namespace pteproof::nets
