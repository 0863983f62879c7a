#include "reference/run/node_arguments.h"

#include <utility>

#include "reference/op_schema.h"

namespace pteproof {

using graph::Operand;
using graph::OperandList;

std::vector<Argument> NodeArguments::Of(const graph::Node& node) {
  held_.clear();
  std::vector<Argument> args;
  args.reserve(node.operands.size());
  if (node.schema == nullptr) {
    LayOpen(node.operands, args);
    return args;
  }
  for (size_t o = 0; o < node.operands.size(); ++o) {
    const ArgSchema* arg = OperandSchema(*node.schema, o);
    args.push_back(One(node.operands[o], arg == nullptr ? ArgKind::kScalar : arg->kind));
  }
  return args;
}

const TensorValue* NodeArguments::Hold(Contents contents) {
  held_.push_back(std::move(contents));
  return held_.back().get();
}

Argument NodeArguments::One(const Operand& operand, ArgKind kind) {
  Argument made = std::monostate{};
  if (const auto* value = std::get_if<Operand::Value>(&operand.held)) made = Value(value->id);
  if (const auto* size = std::get_if<SizeExpr>(&operand.held)) made = size->At(dims_);
  if (const auto* flag = std::get_if<bool>(&operand.held)) made = *flag;
  if (const auto* real = std::get_if<double>(&operand.held)) made = *real;
  if (const auto* text = std::get_if<std::string>(&operand.held)) made = std::string_view(*text);
  if (const auto* list = std::get_if<OperandList>(&operand.held)) {
    const bool tensors = kind == ArgKind::kTensorList || kind == ArgKind::kOptionalTensorList;
    made = tensors ? Tensors(*list) : Numbers(*list, kind);
  }
  const auto* integer = std::get_if<int64_t>(&made);
  if (kind == ArgKind::kFloat && integer != nullptr) made = static_cast<double>(*integer);
  return made;
}

Argument NodeArguments::Value(graph::ValueId value) {
  if (cells_.IsTensor(value)) return Hold(cells_.Read(value));
  return std::visit([](auto number) { return Argument(number); }, cells_[value].number);
}

Argument NodeArguments::Tensors(const OperandList& list) {
  std::vector<const TensorValue*> tensors;
  for (const Operand& item : list) {
    const auto* value = std::get_if<Operand::Value>(&item.held);
    tensors.push_back(value == nullptr ? nullptr : Hold(cells_.Read(value->id)));
  }
  return tensors;
}

Argument NodeArguments::Numbers(const OperandList& list, ArgKind kind) {
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<bool> flags;
  for (const Operand& item : list) {
    const Argument number = One(item, ArgKind::kScalar);
    if (const auto* real = std::get_if<double>(&number)) reals.push_back(*real);
    if (const auto* flag = std::get_if<bool>(&number)) flags.push_back(*flag);
    if (const auto* integer = std::get_if<int64_t>(&number)) integers.push_back(*integer);
  }
  if (kind == ArgKind::kFloatList) return reals;
  if (kind == ArgKind::kBoolList) return flags;
  return integers;
}

void NodeArguments::LayOpen(std::span<const Operand> operands, std::vector<Argument>& args) {
  for (const Operand& operand : operands) {
    const auto* list = std::get_if<OperandList>(&operand.held);
    if (list == nullptr) {
      args.push_back(One(operand, ArgKind::kScalar));
      continue;
    }
    args.emplace_back(static_cast<int64_t>(list->size()));
    LayOpen(*list, args);
  }
}

}  // namespace pteproof
