// Which nodes of a method must run before which, whatever the listing says: by data, or by an edge
// `after`.
#ifndef PTEPROOF_REFERENCE_GRAPH_NODE_ORDER_H_
#define PTEPROOF_REFERENCE_GRAPH_NODE_ORDER_H_

#include <cstdint>
#include <vector>

#include "reference/graph/method_uses.h"

namespace pteproof::graph {

class NodeOrder {
 public:
  // Points into `uses`.
  explicit NodeOrder(const MethodUses& uses) : uses_(uses), before_(uses.nodes.size(), -1) {}

  // Whether the node needs what an earlier one makes, or comes `after` it, at any remove. Both by
  // their place in MethodUses::nodes. Questions about one node in a row cost the listing since the
  // earliest of them, once.
  [[nodiscard]] bool Needs(int32_t node, int32_t earlier);

 private:
  void AddAncestors(int32_t of, std::vector<int32_t>& open);

  const MethodUses& uses_;
  std::vector<int32_t> before_;  // by node: the last one that was found to run after it
  int32_t node_ = -1;
  std::vector<int32_t> unexplored_;  // its ancestors whose own are not marked yet
};

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_NODE_ORDER_H_
