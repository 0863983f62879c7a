// A node's operands as the type rules want them: checked against the operator's signature, values
// replaced by their types.
#ifndef PTEPROOF_REFERENCE_GRAPH_CALL_OPERANDS_H_
#define PTEPROOF_REFERENCE_GRAPH_CALL_OPERANDS_H_

#include <string>
#include <vector>

#include "reference/argument.h"
#include "reference/graph/module.h"

namespace pteproof::graph {

// The type of a value, or null if the value does not exist.
[[nodiscard]] const ValueType* TypeOfValue(const Method& method, ValueId value);

// Makes `args` the arguments for the operator's type rule, in order; returns what does not fit the
// signature, empty: all does. An integer that is a value becomes a symbol above the method's dims:
// a rule cannot know it. They point into `method` and `node`, which must outlive them.
[[nodiscard]] std::string TypeArguments(const Method& method, const Node& node,
                                        std::vector<TypeArgument>& args);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_CALL_OPERANDS_H_
