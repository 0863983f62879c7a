// Types and sizes in words, the same in the text form and in messages.
#ifndef PTEPROOF_REFERENCE_GRAPH_TYPE_TEXT_H_
#define PTEPROOF_REFERENCE_GRAPH_TYPE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "reference/graph/module.h"

namespace pteproof::graph {

// "2*n + 1". A symbol that is not a dim is "?3".
[[nodiscard]] std::string SizeText(const SizeExpr& size, const std::vector<DimSymbol>& dims);

// "float32[n, 4]", or "int".
[[nodiscard]] std::string TypeText(const ValueType& type, const std::vector<DimSymbol>& dims);

// "int", "bool", "real".
[[nodiscard]] std::string_view NumberName(NumberType type);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_TYPE_TEXT_H_
