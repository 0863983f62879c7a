#include "reference/graph/builder.h"

#include <utility>

#include "reference/op_schema.h"

namespace pteproof::graph {

OperandList ValuesAndNumbers(std::initializer_list<ValueId> values,
                             std::initializer_list<int64_t> numbers) {
  OperandList operands;
  operands.reserve(values.size() + numbers.size());
  for (const ValueId value : values) operands.push_back(Of(value));
  for (const int64_t number : numbers) operands.push_back(Number(number));
  return operands;
}

ValueId Builder::Declare(ValueType type) {
  method_.values.push_back(std::move(type));
  return static_cast<ValueId>(method_.values.size()) - 1;
}

ValueId Builder::AddInput(std::string name, ValueType type, bool in_place) {
  const ValueId value = Declare(std::move(type));
  method_.inputs.push_back({std::move(name), value, in_place});
  return value;
}

ValueId Builder::AddEntry(int32_t buffer, TensorType type) {
  const ValueId value = Declare(std::move(type));
  method_.buffers.push_back({buffer, value});
  return value;
}

Node& Builder::Add(Node node) {
  return regions_.back()->nodes.emplace_back(std::move(node));
}

std::optional<ValueId> Builder::CallOne(const OpSchema& schema, std::vector<Operand> operands) {
  std::vector<Node>& nodes = regions_.back()->nodes;
  Node& node = nodes.emplace_back();
  node.op = schema.name;
  node.schema = &schema;
  node.operands = std::move(operands);
  NodeTypes& made = typer_.Of(node);
  if (made.declared || !made.fault.empty() || made.types.empty()) {
    nodes.pop_back();
    return std::nullopt;
  }
  node.results.reserve(made.types.size());
  for (ValueType& type : made.types) node.results.push_back(Declare(std::move(type)));
  return node.results.front();
}

std::optional<ValueId> Builder::CallOne(std::string_view op, std::vector<Operand> operands) {
  const OpSchema* schema = FindOperator(op);
  return schema == nullptr ? std::nullopt : CallOne(*schema, std::move(operands));
}

}  // namespace pteproof::graph
