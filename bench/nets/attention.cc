#include "bench/nets/attention.h"

#include <cmath>

namespace pteproof::nets {
namespace {

using graph::Of;
using graph::Real;

// Matrices in batches of one dimension.
ValueId Batched(Layers& net, ValueId x) {
  const std::vector<int64_t> sizes = net.SizesOf(x);
  return net.View(x, {sizes[0] * sizes[1], sizes[2], sizes[3]});
}

}  // namespace

ValueId SplitHeads(Layers& net, ValueId x, int64_t heads) {
  const std::vector<int64_t> sizes = net.SizesOf(x);
  const ValueId split = net.View(x, {1, sizes[1], heads, sizes[2] / heads});
  return net.Permute(split, {0, 2, 1, 3});
}

ValueId JoinHeads(Layers& net, ValueId x) {
  const std::vector<int64_t> sizes = net.SizesOf(x);
  return net.View(net.Permute(x, {0, 2, 1, 3}), {1, sizes[2], sizes[1] * sizes[3]});
}

ValueId Attend(Layers& net, ValueId q, ValueId k, ValueId v, ValueId mask) {
  const std::vector<int64_t> sizes = net.SizesOf(q);
  const double scale = 1 / std::sqrt(static_cast<double>(sizes[3]));
  const ValueId turned = net.Permute(k, {0, 1, 3, 2});
  ValueId scores = net.Call("aten::bmm.out", {Of(Batched(net, q)), Of(Batched(net, turned))});
  scores = net.Call("aten::mul.Scalar_out", {Of(scores), Real(scale)});
  if (mask >= 0) scores = net.Add(scores, mask);
  const ValueId mixed = net.Call("aten::bmm.out", {Of(net.Softmax(scores)), Of(Batched(net, v))});
  return net.View(mixed, sizes);
}

}  // namespace pteproof::nets
