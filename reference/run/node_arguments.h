// What a node's operands are in a run: values as they are now, sizes at the call's dims.
#ifndef PTEPROOF_REFERENCE_RUN_NODE_ARGUMENTS_H_
#define PTEPROOF_REFERENCE_RUN_NODE_ARGUMENTS_H_

#include <span>
#include <vector>

#include "reference/run/cells.h"

namespace pteproof {

class NodeArguments {
 public:
  // Both must outlive it.
  NodeArguments(const Cells& cells, const std::vector<int64_t>& dims)
      : cells_(cells), dims_(dims) {}

  // One argument per operand. Lists of an unknown node are laid open, their length before
  // their items: whatever they hold is there. Tensors live until the next call.
  [[nodiscard]] std::vector<Argument> Of(const graph::Node& node);

  // Another tensor that lives as long.
  [[nodiscard]] const TensorValue* Hold(Contents contents);

 private:
  [[nodiscard]] Argument One(const graph::Operand& operand, ArgKind kind);
  [[nodiscard]] Argument Value(graph::ValueId value);
  [[nodiscard]] Argument Tensors(const graph::OperandList& list);
  [[nodiscard]] Argument Numbers(const graph::OperandList& list, ArgKind kind);
  void LayOpen(std::span<const graph::Operand> operands, std::vector<Argument>& args);

  const Cells& cells_;
  const std::vector<int64_t>& dims_;
  std::vector<Contents> held_;
};

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_NODE_ARGUMENTS_H_
