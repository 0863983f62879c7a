// When a name that no instruction makes comes to be.
#ifndef PTEPROOF_MEANING_BIRTHS_H_
#define PTEPROOF_MEANING_BIRTHS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "meaning/dominators.h"
#include "meaning/flow_graph.h"

namespace pteproof::meaning {

class Births {
 public:
  explicit Births(const FlowGraph& graph);  // O(blocks log blocks), of straight code O(1)

  // The instruction before which the name has its content, on every path to a use. `made`: the
  // exporter made it before that instruction, which may lie on another path or behind a use.
  // `uses`: the first of each block, ascending; not empty. O(uses log blocks), and the jumps back
  // if it is not of the first use's block.
  [[nodiscard]] int32_t MomentOf(int32_t made, std::span<const BlockUse> uses) const;

 private:
  [[nodiscard]] bool IsReachable(int32_t block) const {
    return graph_.blocks[static_cast<size_t>(block)].reachable;
  }
  // The last instruction of a block that branches, before which all else of it has run.
  [[nodiscard]] int32_t LastOf(int32_t block) const;

  const FlowGraph& graph_;
  std::optional<Dominators> dominators_;  // of code that is not straight
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_BIRTHS_H_
