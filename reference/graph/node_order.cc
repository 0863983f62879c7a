// Idea. The ancestors of a node are found by a walk against the order of the listing, which stops
// at the node in question and continues from there for the next one: nodes need only what is listed
// before them.
//
// Invariant: before_[n] is the node under examination for all of its ancestors that were reached,
// and `unexplored_` holds the reached ones whose own operands were not visited yet. Cost: O(nodes +
// operands) for each node that is asked about.
#include "reference/graph/node_order.h"

#include <utility>

namespace pteproof::graph {

bool NodeOrder::Needs(int32_t node, int32_t earlier) {
  if (node_ != node) {
    node_ = node;
    unexplored_ = {node};
  }
  std::vector<int32_t> open = std::exchange(unexplored_, {});
  while (!open.empty()) {
    const int32_t at = open.back();
    open.pop_back();
    if (at > earlier) {
      AddAncestors(at, open);
    } else {
      unexplored_.push_back(at);
    }
  }
  return before_[static_cast<size_t>(earlier)] == node;
}

void NodeOrder::AddAncestors(int32_t of, std::vector<int32_t>& open) {
  const auto add = [&](ValueId value) {
    const ValueMaker maker = uses_.makers[static_cast<size_t>(value)];
    if (maker.kind != ValueMaker::Kind::kNode) return;
    int32_t& before = before_[static_cast<size_t>(maker.index)];
    if (before == node_) return;
    before = node_;
    open.push_back(maker.index);
  };
  const Node& node = *uses_.nodes[static_cast<size_t>(of)];
  ForEachValue(node.operands, add);
  for (const ValueId v : node.after) add(v);
}

}  // namespace pteproof::graph
