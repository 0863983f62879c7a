// Which blocks lie on every path to a block, on paths that never jump back.
#ifndef PTEPROOF_MEANING_DOMINATORS_H_
#define PTEPROOF_MEANING_DOMINATORS_H_

#include <cstdint>
#include <vector>

#include "meaning/flow_graph.h"

namespace pteproof::meaning {

class Dominators {
 public:
  explicit Dominators(const FlowGraph& graph);  // O(blocks log blocks)

  // The last block that lies on every path to both: one of them, if it lies on every path to the
  // other. O(log blocks).
  [[nodiscard]] int32_t CommonOf(int32_t a, int32_t b) const;

 private:
  // A block in the tree of immediate dominators, whose root is the entry.
  struct Node {
    int32_t depth = 0;
    int32_t parent = 0;
    int32_t jump = 0;  // an ancestor further up
  };

  [[nodiscard]] const Node& NodeOf(int32_t block) const {
    return nodes_[static_cast<size_t>(block)];
  }
  [[nodiscard]] int32_t AncestorAt(int32_t block, int32_t depth) const;

  std::vector<Node> nodes_;  // per block
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_DOMINATORS_H_
