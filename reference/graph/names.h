// Names in Modules: what a method's values are called.
#ifndef PTEPROOF_REFERENCE_GRAPH_NAMES_H_
#define PTEPROOF_REFERENCE_GRAPH_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "reference/graph/module.h"
#include "reference/text/names.h"

namespace pteproof::graph {

using text::IsBufferName;
using text::IsIdentifier;
using text::IsOperatorName;

// "cond", "while", "map", "scan"; empty for calls and delegates.
[[nodiscard]] std::string_view KindWord(NodeKind kind);

// Words that mean something in a size or as an operand, so that no dim is called so.
[[nodiscard]] bool IsReserved(std::string_view text);

// What each value is called in the text form, by ValueId: inputs keep their names ("%x"), all
// others are numbered in order of definition ("%0"). Total: a value that nothing defines is "%?7".
[[nodiscard]] std::vector<std::string> ValueNames(const Method& method);

// The name of `value`, also if it does not exist.
[[nodiscard]] std::string NameOf(const std::vector<std::string>& names, ValueId value);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_NAMES_H_
