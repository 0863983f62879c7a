// Who makes and who uses each value of a method, and which values are other names of one storage.
#ifndef PTEPROOF_REFERENCE_GRAPH_METHOD_USES_H_
#define PTEPROOF_REFERENCE_GRAPH_METHOD_USES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/graph/module.h"

namespace pteproof::graph {

// A place that reads a value: a node (also by its regions), or the end of the method or region.
struct ValueUse {
  enum class Kind : uint8_t { kNode, kResult, kStore, kInputStore };
  Kind kind = Kind::kNode;
  int32_t index = 0;  // in MethodUses::nodes; of the result; in Method::stores or input_stores
};

struct ValueMaker {
  enum class Kind : uint8_t { kNone, kInput, kEntry, kParam, kNode };
  Kind kind = Kind::kNone;
  int32_t index = 0;  // in Method::inputs or buffers, of the parameter, in MethodUses::nodes
};

struct MethodUses {
  std::vector<const Node*> nodes;  // also those of regions, in order of the listing
  std::vector<ValueMaker> makers;  // by ValueId
  // By ValueId, in order of the listing. A region's operands are used by its node. A delegate uses
  // the entry values of its buffers, also from within regions: then the outermost node does.
  std::vector<std::vector<ValueUse>> uses;
  // By ValueId: the result of a branch or loop that may be another name of an operand or of another
  // result. A loop that runs zero times returns its operands.
  std::vector<bool> may_be_alias;
};

// Points into `method`, which must outlive it and be well-formed. O(nodes + operands).
[[nodiscard]] MethodUses UsesOf(const Method& method);

// Indices of the buffers that a method has to do with, ascending: it reads them at entry, stores to
// them, or a delegate of its has them.
[[nodiscard]] std::vector<int32_t> BuffersOf(const Method& method);

// Indices of the buffers that a method stores to, or a delegate of its writes that does not own
// them, ascending. What is stored may be what the buffer holds already.
[[nodiscard]] std::vector<int32_t> BuffersStoredBy(const Method& method);

// The operand that the first result is another name of: of views, mutating operators and those in
// place. Nothing: it is none.
[[nodiscard]] std::optional<ValueId> AliasedOperand(const Node& node);

// The value that an operand is, if it is one.
[[nodiscard]] inline std::optional<ValueId> ValueOfOperand(const Operand& operand) {
  const auto* value = std::get_if<Operand::Value>(&operand.held);
  return value == nullptr ? std::nullopt : std::optional(value->id);
}

// Calls `visit` with every value among the operands, lists included.
template <class Visit>
void ForEachValue(std::span<const Operand> operands, const Visit& visit) {
  for (const Operand& operand : operands) {
    if (const auto value = ValueOfOperand(operand)) visit(*value);
    if (const auto* list = std::get_if<OperandList>(&operand.held)) ForEachValue(*list, visit);
  }
}

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_METHOD_USES_H_
