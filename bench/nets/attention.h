// Attention over tokens, as both transformers have it.
#ifndef PTEPROOF_BENCH_NETS_ATTENTION_H_
#define PTEPROOF_BENCH_NETS_ATTENTION_H_

#include "bench/nets/layers.h"

namespace pteproof::nets {

// [1, tokens, width] to [1, heads, tokens, width / heads], and back.
[[nodiscard]] ValueId SplitHeads(Layers& net, ValueId x, int64_t heads);
[[nodiscard]] ValueId JoinHeads(Layers& net, ValueId x);

// softmax(q k^T / sqrt(size) + mask) v, all [1, heads, tokens, size]; without a mask where it is
// negative.
[[nodiscard]] ValueId Attend(Layers& net, ValueId q, ValueId k, ValueId v, ValueId mask);

}  // namespace pteproof::nets

#endif  // PTEPROOF_BENCH_NETS_ATTENTION_H_
