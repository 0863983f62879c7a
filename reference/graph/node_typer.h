// TypesOfNode for one node after the other.
#ifndef PTEPROOF_REFERENCE_GRAPH_NODE_TYPER_H_
#define PTEPROOF_REFERENCE_GRAPH_NODE_TYPER_H_

#include <string>
#include <vector>

#include "reference/argument.h"
#include "reference/graph/module.h"
#include "reference/graph/validate.h"

namespace pteproof::graph {

// Of one method, which must outlive it and may grow. Keeps its lists from node to node: who makes
// many calls would allocate little else as often.
class NodeTyper {
 public:
  explicit NodeTyper(const Method& method) : method_(method) {}

  // What TypesOfNode gives, until the next call; the types may be moved out.
  [[nodiscard]] NodeTypes& Of(const Node& node);

 private:
  // Why there are no types; empty: made_ has them.
  [[nodiscard]] std::string TypeCall(const Node& node);
  [[nodiscard]] std::string TypeWithoutRule(const Node& node);

  const Method& method_;
  std::vector<TypeArgument> args_;
  NodeTypes made_;
};

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_NODE_TYPER_H_
