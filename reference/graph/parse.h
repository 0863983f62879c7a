// The text form of Modules, read. The grammar and what it means are in docs/reference/modules.md.
#ifndef PTEPROOF_REFERENCE_GRAPH_PARSE_H_
#define PTEPROOF_REFERENCE_GRAPH_PARSE_H_

#include <string>
#include <string_view>

#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof::graph {

// Lines and columns count from 1, columns in characters.
struct ParseError {
  int line = 1;
  int column = 1;
  std::string message;

  bool operator==(const ParseError&) const = default;
};

// The well-formed Module that `text` describes, or the first reason why it does not. Total: ends
// for any bytes, in memory and (but for a logarithm) time proportional to them.
[[nodiscard]] Result<Module, ParseError> Parse(std::string_view text);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PARSE_H_
