// Modules in the shape of models that run on devices, to plan, to run and to measure: the real
// operators, sizes and residual paths, with weights of our own.
#ifndef PTEPROOF_BENCH_NETS_NETS_H_
#define PTEPROOF_BENCH_NETS_NETS_H_

#include <cstdint>
#include <optional>

#include "reference/graph/module.h"

namespace pteproof::nets {

// An image classifier of inverted residual blocks (Sandler et al., "MobileNetV2: Inverted Residuals
// and Linear Bottlenecks", 2018, table 2): `forward` takes [1, 3, image, image] and gives 1,000
// logits. Batch norm is not folded. Weights from the seed; zero without one.
[[nodiscard]] graph::Module MobileNet(int64_t image, std::optional<uint64_t> seed = {});

// A stack of pre-norm transformer layers with full self-attention: [1, tokens, width] to the same.
struct EncoderShape {
  int64_t layers = 12;
  int64_t tokens = 64;
  int64_t width = 256;
  int64_t heads = 8;
};
[[nodiscard]] graph::Module Encoder(const EncoderShape& shape, std::optional<uint64_t> seed = {});

// One step of a decoder with rotary positions and a key and a value cache per layer, updated at a
// position: `step` takes a token [1, 1] and the position [1], and gives the logits.
struct DecoderShape {
  int64_t layers = 8;
  int64_t width = 256;
  int64_t heads = 8;
  int64_t positions = 128;  // that a cache holds
  int64_t vocabulary = 512;
};
[[nodiscard]] graph::Module Decoder(const DecoderShape& shape, std::optional<uint64_t> seed = {});

}  // namespace pteproof::nets

#endif  // PTEPROOF_BENCH_NETS_NETS_H_
