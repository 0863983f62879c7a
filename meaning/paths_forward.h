// Paths that never jump back. The rounds of a loop are apart on them: what one branch makes in one
// round is not what another branch finds in the next.
#ifndef PTEPROOF_MEANING_PATHS_FORWARD_H_
#define PTEPROOF_MEANING_PATHS_FORWARD_H_

#include <cstdint>
#include <vector>

#include "meaning/flow_graph.h"

namespace pteproof::meaning {

class PathsForward {
 public:
  explicit PathsForward(const FlowGraph& graph) : graph_(graph) {}

  // The block that was asked for last; -1: none yet.
  [[nodiscard]] int32_t goal() const { return goal_; }

  // Whether one leads from a block to another, or to itself. O(blocks) for a new goal, else O(1).
  [[nodiscard]] bool LeadTo(int32_t goal, int32_t from) {
    if (goal != goal_) Find(goal);
    return leads_[static_cast<size_t>(from)];
  }

 private:
  // From the goal upwards, so that all that follows a block is known before it.
  void Find(int32_t goal) {
    goal_ = goal;
    leads_.assign(graph_.blocks.size(), false);
    leads_[static_cast<size_t>(goal)] = true;
    for (int32_t block = goal; block-- > 0;) {
      for (const int32_t next : graph_.blocks[static_cast<size_t>(block)].successors) {
        if (next > block && leads_[static_cast<size_t>(next)]) {
          leads_[static_cast<size_t>(block)] = true;
        }
      }
    }
  }

  const FlowGraph& graph_;
  int32_t goal_ = -1;
  std::vector<bool> leads_;  // by block: whether one leads to the goal
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PATHS_FORWARD_H_
