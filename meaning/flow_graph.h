// Basic blocks of a method's listing and the paths between them.
#ifndef PTEPROOF_MEANING_FLOW_GRAPH_H_
#define PTEPROOF_MEANING_FLOW_GRAPH_H_

#include <cstdint>
#include <vector>

#include "meaning/effects.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

struct Block {
  int32_t begin = 0;  // instructions [begin, end)
  int32_t end = 0;
  std::vector<int32_t> successors;  // block indices, at most two
  std::vector<int32_t> predecessors;
  bool reachable = false;  // from the method's entry
  bool exits = false;      // the method can end after it
};

struct FlowGraph {
  std::vector<Block>
      blocks;  // in listing order; never empty (a method without code has one empty block)
  std::vector<int32_t> block_of;  // per instruction

  // A method may be one block and a loop: one that its last instruction jumps back to.
  [[nodiscard]] bool straight() const { return blocks.size() == 1 && blocks[0].successors.empty(); }
};

// O(instructions). A jump on a Bool that nothing replaces goes one way only.
[[nodiscard]] FlowGraph FlowGraphOf(const Method& method, const Effects& effects);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_FLOW_GRAPH_H_
