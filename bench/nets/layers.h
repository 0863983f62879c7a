// Layers of neural networks, appended to a method: what models of a known shape are built from.
#ifndef PTEPROOF_BENCH_NETS_LAYERS_H_
#define PTEPROOF_BENCH_NETS_LAYERS_H_

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "reference/graph/builder.h"
#include "reference/graph/module.h"

namespace pteproof::nets {

using graph::ValueId;

// Weights are buffers that nobody stores to: drawn from the seed, or all zero without one, where
// only the plan matters. Module and method must outlive it and stay where they are.
class Layers {
 public:
  Layers(graph::Module& module, graph::Method& method, std::optional<uint64_t> seed)
      : module_(module), builder_(method) {
    if (seed) random_.emplace(*seed);
  }

  [[nodiscard]] graph::Builder& builder() { return builder_; }
  [[nodiscard]] std::vector<int64_t> SizesOf(ValueId v) const;

  // The first result of a call that is known to be right.
  ValueId Call(std::string_view op, std::vector<graph::Operand> operands);
  // A constant of float32: normal with this mean and deviation.
  ValueId Weight(std::vector<int64_t> sizes, double mean, double deviation);
  // A mutable buffer, zeros at first, as the method finds it.
  ValueId State(std::string name, std::vector<int64_t> sizes, bool shared);
  void Store(ValueId entry, ValueId value);

  ValueId Add(ValueId a, ValueId b);
  ValueId Mul(ValueId a, ValueId b);
  ValueId View(ValueId x, std::vector<int64_t> sizes);
  ValueId Permute(ValueId x, std::vector<int64_t> dims);
  // x: [n, c, h, w], a square kernel, padded so that only the stride makes it smaller.
  ValueId Convolution(ValueId x, int64_t channels, int64_t kernel, int64_t stride, int64_t groups);
  ValueId BatchNorm(ValueId x);
  // x: [..., k] to [..., n], as exporters write it: the weight is turned at every call.
  ValueId Linear(ValueId x, int64_t n);
  // Over the last dimension.
  ValueId RmsNorm(ValueId x);
  ValueId LayerNorm(ValueId x);
  ValueId Softmax(ValueId x);

 private:
  graph::Module& module_;
  graph::Builder builder_;
  std::optional<std::mt19937_64> random_;
};

[[nodiscard]] graph::Operand Ints(const std::vector<int64_t>& numbers);

}  // namespace pteproof::nets

#endif  // PTEPROOF_BENCH_NETS_LAYERS_H_
