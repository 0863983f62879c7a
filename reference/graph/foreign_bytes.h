// Whether the bytes of an operand are the method's own to overwrite: the part of C0 (in_place.h)
// that asks where the operand comes from. Also the texts that explanations are made of.
#ifndef PTEPROOF_REFERENCE_GRAPH_FOREIGN_BYTES_H_
#define PTEPROOF_REFERENCE_GRAPH_FOREIGN_BYTES_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/graph/method_uses.h"
#include "reference/graph/module.h"

namespace pteproof::graph {

// Who would see the new value, and two lines on how.
struct InPlaceReader {
  std::optional<ValueId> value;  // first result of a node
  std::string what;              // "%7 = aten::add.out reads %2 afterwards."
  std::string outcome;           // "%7 would see %5."
  std::string remedy = {};       // "list %7 before."; empty: none
};

// What values and nodes are called in the text form.
struct NodeTexts {
  std::vector<std::string> names;

  [[nodiscard]] std::string Name(ValueId value) const;      // "%5"
  [[nodiscard]] std::string Title(const Node& node) const;  // "%5 = aten::add.out"
};

// Why `result` must not be made in the bytes of `operand`, wherever it is read; nothing: it may.
[[nodiscard]] std::optional<InPlaceReader> ForeignBytes(const Module& module, const Method& method,
                                                        const MethodUses& uses,
                                                        const NodeTexts& texts, ValueId operand,
                                                        ValueId result);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_FOREIGN_BYTES_H_
