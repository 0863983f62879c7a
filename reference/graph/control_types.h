// The types that control flow gives, from its operands and regions.
#ifndef PTEPROOF_REFERENCE_GRAPH_CONTROL_TYPES_H_
#define PTEPROOF_REFERENCE_GRAPH_CONTROL_TYPES_H_

#include "reference/graph/module.h"
#include "reference/graph/validate.h"

namespace pteproof::graph {

// Of kCond, kWhile, kMap and kScan: the types of the results, or what does not fit.
[[nodiscard]] NodeTypes ControlTypes(const Method& method, const Node& node);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_CONTROL_TYPES_H_
