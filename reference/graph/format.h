// The canonical form of a Module's text.
#ifndef PTEPROOF_REFERENCE_GRAPH_FORMAT_H_
#define PTEPROOF_REFERENCE_GRAPH_FORMAT_H_

#include <string>
#include <string_view>

#include "pteproof/result.h"
#include "reference/graph/parse.h"

namespace pteproof::graph {

// What Print writes for the Module in `text`, after the comment lines above its first token. Other
// comments are dropped. Canonical text comes back as it is.
[[nodiscard]] Result<std::string, ParseError> Format(std::string_view text);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_FORMAT_H_
