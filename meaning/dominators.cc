// Idea: without jumps back the listing is a topological order of the blocks. So the immediate
// dominator of a block is the common ancestor of its predecessors above it, which are in the tree
// already.
//
// Invariant: each node has, beside its parent, a jump to an ancestor, so chosen that any ancestor
// is reached over O(log depth) of both (a skew-binary list).
//
// Cost: O(log blocks) for each edge, and for each question.
#include "meaning/dominators.h"

#include <cstddef>

namespace pteproof::meaning {

Dominators::Dominators(const FlowGraph& graph) : nodes_(graph.blocks.size()) {
  for (size_t b = 1; b < nodes_.size(); ++b) {
    const auto block = static_cast<int32_t>(b);
    int32_t parent = -1;
    for (const int32_t p : graph.blocks[b].predecessors) {
      if (p >= block || !graph.blocks[static_cast<size_t>(p)].reachable) continue;
      parent = parent < 0 ? p : CommonOf(parent, p);
    }
    // What only a jump back leads to has the entry alone above it.
    if (parent < 0) parent = 0;
    const Node& above = NodeOf(parent);
    const Node& further = NodeOf(above.jump);
    const bool even = above.depth - further.depth == further.depth - NodeOf(further.jump).depth;
    nodes_[b] = {above.depth + 1, parent, even ? further.jump : parent};
  }
}

int32_t Dominators::AncestorAt(int32_t block, int32_t depth) const {
  while (NodeOf(block).depth > depth) {
    const Node& node = NodeOf(block);
    block = NodeOf(node.jump).depth >= depth ? node.jump : node.parent;
  }
  return block;
}

int32_t Dominators::CommonOf(int32_t a, int32_t b) const {
  if (NodeOf(a).depth > NodeOf(b).depth) a = AncestorAt(a, NodeOf(b).depth);
  b = AncestorAt(b, NodeOf(a).depth);
  while (a != b) {
    const Node& one = NodeOf(a);
    const Node& other = NodeOf(b);
    const bool leap = one.jump != other.jump;
    a = leap ? one.jump : one.parent;
    b = leap ? other.jump : other.parent;
  }
  return a;
}

}  // namespace pteproof::meaning
