// What makes a Module well-formed: names, single assignment, operands of the right kinds, result
// types that the operators' type rules give. Everything else in this floor takes it for granted.
#ifndef PTEPROOF_REFERENCE_GRAPH_VALIDATE_H_
#define PTEPROOF_REFERENCE_GRAPH_VALIDATE_H_

#include <string>
#include <utility>
#include <vector>

#include "reference/graph/module.h"

namespace pteproof::graph {

// One thing that is wrong.
struct Problem {
  std::string method;       // empty: the Module's buffers
  std::string explanation;  // "%4 = aten::mm.out: the inner sizes differ"

  bool operator==(const Problem&) const = default;
};

// Everything that is wrong; empty: the Module is well-formed. Buffers and methods have different
// names; every value is defined once, before its uses, and used in the region that defines it;
// operands fit the schema; declared types are those of the type rules (of unknown operators,
// delegates and inputs they stand for themselves); regions take and give what their node does;
// stores fit their buffers. O(nodes + operands).
[[nodiscard]] std::vector<Problem> Validate(const Module& module);

// The types of a node's results by rule: of a known operator, or of control flow from its regions.
// Nothing for what must be declared (delegates, unknown operators). An error says what does not
// fit.
struct NodeTypes {
  std::vector<ValueType> types;
  bool declared = false;  // no rule: the declared types stand
  std::string fault;

  [[nodiscard]] static NodeTypes Faulty(std::string why) { return {{}, false, std::move(why)}; }
};
[[nodiscard]] NodeTypes TypesOfNode(const Method& method, const Node& node);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_VALIDATE_H_
