// The text form of Modules, written. The grammar is in docs/modules.md.
#ifndef PTEPROOF_REFERENCE_GRAPH_PRINT_H_
#define PTEPROOF_REFERENCE_GRAPH_PRINT_H_

#include <string>

#include "reference/graph/module.h"

namespace pteproof::graph {

// The one canonical text of a well-formed Module: values numbered in order of definition, one node
// a line. Parse reads the Module back, with its values numbered so.
[[nodiscard]] std::string Print(const Module& module);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PRINT_H_
