#include <array>

#include "bench/nets/layers.h"
#include "bench/nets/nets.h"

namespace pteproof::nets {
namespace {

using graph::Flag;
using graph::None;
using graph::Of;
using graph::Real;

struct Stage {
  int64_t expansion;
  int64_t channels;
  int64_t blocks;
  int64_t stride;  // of the first block
};
constexpr std::array<Stage, 7> kStages = {{{1, 16, 1, 1},
                                           {6, 24, 2, 2},
                                           {6, 32, 3, 2},
                                           {6, 64, 4, 2},
                                           {6, 96, 3, 1},
                                           {6, 160, 3, 2},
                                           {6, 320, 1, 1}}};

ValueId Clipped(Layers& net, ValueId x) {
  return net.Call("aten::hardtanh.out", {Of(x), Real(0), Real(6)});
}

ValueId Block(Layers& net, ValueId x, const Stage& stage, int64_t stride) {
  const int64_t taken = net.SizesOf(x)[1];
  const int64_t wide = taken * stage.expansion;
  ValueId y = x;
  if (stage.expansion != 1) y = Clipped(net, net.BatchNorm(net.Convolution(y, wide, 1, 1, 1)));
  y = Clipped(net, net.BatchNorm(net.Convolution(y, wide, 3, stride, wide)));
  y = net.BatchNorm(net.Convolution(y, stage.channels, 1, 1, 1));
  return stride == 1 && taken == stage.channels ? net.Add(x, y) : y;
}

}  // namespace

graph::Module MobileNet(int64_t image, std::optional<uint64_t> seed) {
  graph::Module module;
  graph::Method& method = module.methods.emplace_back();
  method.name = "forward";
  Layers net(module, method, seed);
  ValueId x =
      net.builder().AddInput("image", TensorType{ScalarType::kFloat32, {1, 3, image, image}});
  x = Clipped(net, net.BatchNorm(net.Convolution(x, 32, 3, 2, 1)));
  for (const Stage& stage : kStages) {
    for (int64_t b = 0; b < stage.blocks; ++b) {
      x = Block(net, x, stage, b == 0 ? stage.stride : 1);
    }
  }
  x = Clipped(net, net.BatchNorm(net.Convolution(x, 1280, 1, 1, 1)));
  x = net.Call("aten::mean.out", {Of(x), Ints({-1, -2}), Flag(false), None()});
  method.body.results = {net.Linear(x, 1000)};
  return module;
}

}  // namespace pteproof::nets
