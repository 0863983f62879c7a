// The text form of Modules, written. The grammar is in docs/reference/modules.md.
#ifndef PTEPROOF_REFERENCE_GRAPH_PRINT_H_
#define PTEPROOF_REFERENCE_GRAPH_PRINT_H_

#include <string>
#include <vector>

#include "reference/graph/module.h"

namespace pteproof::graph {

// The one canonical text of a well-formed Module: values numbered in order of definition, one node
// a line. Parse reads the Module back, with its values numbered so.
[[nodiscard]] std::string Print(const Module& module);

// Comments of one line each, for the ends of lines; an empty text, or none: no comment.
struct Notes {
  struct OfMethod {
    std::string head;                // at the line with the inputs
    std::vector<std::string> nodes;  // as they are printed: each before those of its regions
  };
  std::vector<std::string> buffers;
  std::vector<OfMethod> methods;
};

// The same text with comments, so that Parse still reads the Module back.
[[nodiscard]] std::string Print(const Module& module, const Notes& notes);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PRINT_H_
