// Live names, over all paths: those that cross from block to block, and those that a call begins
// with. By names alone, wherever they lie.
#ifndef PTEPROOF_MEANING_LIVENESS_H_
#define PTEPROOF_MEANING_LIVENESS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "meaning/method_flow.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// A name with the instruction that reads it next (on some path). Names are value indices; the name
// of state s at the method's end, which the next call reads, is the value count + s.
struct LiveName {
  int32_t name = 0;
  int32_t reader = 0;  // instruction; the instruction count: an output; one more: the next call
};

struct Liveness {
  std::vector<std::vector<LiveName>> out;  // per block: live at its end
  // Per block, ascending: live names that a block before it made. Empty for straight-line code.
  std::vector<std::vector<int32_t>> reached;
  std::vector<LiveName> entry;  // live when a call begins, ascending, each with its first reader
  bool complete = true;         // false: the control flow is beyond the limit on work

  [[nodiscard]] bool Reaches(int32_t name, size_t block) const {
    return block < reached.size() && std::ranges::binary_search(reached[block], name);
  }
};

// Names live at the method's end: outputs, and the state that later calls read.
[[nodiscard]] std::vector<LiveName> NamesAtEnd(const MethodFlow& flow);

// O(accesses log accesses + pairs of block and name that is live there).
[[nodiscard]] Liveness LivenessOf(const MethodFlow& flow);

// More pairs of block and live name than this are given up on: no exporter writes such a file.
inline constexpr size_t kMaxLivePairs = 20'000'000;

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_LIVENESS_H_
