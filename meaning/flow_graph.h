// Basic blocks of a method's listing and the paths between them.
#ifndef PTEPROOF_MEANING_FLOW_GRAPH_H_
#define PTEPROOF_MEANING_FLOW_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <span>
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
  // The block that an instruction belongs to; the method's end belongs to the last block.
  [[nodiscard]] int32_t BlockOf(int32_t instruction) const {
    return static_cast<size_t>(instruction) < block_of.size()
               ? block_of[static_cast<size_t>(instruction)]
               : static_cast<int32_t>(blocks.size()) - 1;
  }
};

struct BlockUse {
  int32_t block = 0;
  int32_t use = 0;  // an instruction of the block, or the instruction count behind the last block
};

// The blocks of some uses, ascending. The end of the method, which is the instruction count, is a
// use in each block that may be the last one of a call: at its last instruction, or behind it if it
// stands last in the listing.
[[nodiscard]] std::vector<BlockUse> UsesIn(const FlowGraph& graph,
                                           std::span<const int32_t> instructions);
// The first of each block.
[[nodiscard]] std::vector<BlockUse> FirstUsesIn(const FlowGraph& graph,
                                                std::span<const int32_t> instructions);

// O(instructions). A jump on a Bool that nothing replaces goes one way only.
[[nodiscard]] FlowGraph FlowGraphOf(const Method& method, const Effects& effects);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_FLOW_GRAPH_H_
