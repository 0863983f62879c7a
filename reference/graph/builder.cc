#include "reference/graph/builder.h"

#include <utility>

#include "reference/evaluate.h"

namespace pteproof::graph {
namespace {

// An operand as a type rule sees it; nothing for a number that a node computes.
class TypeArguments {
 public:
  explicit TypeArguments(const Method& method) : method_(method) {}

  std::optional<std::vector<TypeArgument>> Of(const OpSchema& schema,
                                              std::span<const Operand> operands) const {
    std::vector<TypeArgument> args;
    args.reserve(operands.size());
    size_t next = 0;
    for (const ArgSchema& arg : schema.args) {
      if (arg.out) continue;
      if (next == operands.size()) return std::nullopt;
      auto type = One(operands[next++], arg.kind);
      if (!type) return std::nullopt;
      args.push_back(*std::move(type));
    }
    return next == operands.size() ? std::optional(std::move(args)) : std::nullopt;
  }

 private:
  std::optional<TypeArgument> One(const Operand& operand, ArgKind kind) const {
    if (const auto* value = std::get_if<Operand::Value>(&operand.held)) {
      const TensorType* type = TensorTypeOf(method_, value->id);
      return type == nullptr ? std::nullopt : std::optional<TypeArgument>(type);
    }
    if (const auto* size = std::get_if<SizeExpr>(&operand.held)) {
      const auto number = size->Constant();
      if (kind == ArgKind::kFloat && number) return static_cast<double>(*number);
      return *size;
    }
    if (const auto* flag = std::get_if<bool>(&operand.held)) return *flag;
    if (const auto* real = std::get_if<double>(&operand.held)) return *real;
    if (const auto* text = std::get_if<std::string>(&operand.held)) return std::string_view(*text);
    if (const auto* list = std::get_if<OperandList>(&operand.held)) return ListOf(*list, kind);
    return std::monostate{};
  }

  std::optional<TypeArgument> ListOf(const OperandList& list, ArgKind kind) const {
    std::vector<const TensorType*> tensors;
    std::vector<SizeExpr> sizes;
    std::vector<double> reals;
    std::vector<bool> flags;
    for (const Operand& item : list) {
      if (const auto* value = std::get_if<Operand::Value>(&item.held)) {
        tensors.push_back(TensorTypeOf(method_, value->id));
        if (tensors.back() == nullptr) return std::nullopt;
      } else if (const auto* size = std::get_if<SizeExpr>(&item.held)) {
        sizes.push_back(*size);
      } else if (const auto* real = std::get_if<double>(&item.held)) {
        reals.push_back(*real);
      } else if (const auto* flag = std::get_if<bool>(&item.held)) {
        flags.push_back(*flag);
      } else {
        tensors.push_back(nullptr);
      }
    }
    if (kind == ArgKind::kTensorList || kind == ArgKind::kOptionalTensorList) return tensors;
    if (kind == ArgKind::kFloatList) return reals;
    if (kind == ArgKind::kBoolList) return flags;
    return sizes;
  }

  const Method& method_;
};

}  // namespace

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

std::optional<std::vector<ValueId>> Builder::Call(const OpSchema& schema,
                                                  std::vector<Operand> operands) {
  const auto args = TypeArguments(method_).Of(schema, operands);
  if (!args) return std::nullopt;
  auto types = ResultTypes(schema, *args);
  if (!types.ok()) return std::nullopt;
  Node node;
  node.op = schema.name;
  node.schema = &schema;
  node.operands = std::move(operands);
  for (TensorType& type : types.value()) node.results.push_back(Declare(std::move(type)));
  std::vector<ValueId> results = node.results;
  Add(std::move(node));
  return results;
}

std::optional<ValueId> Builder::CallOne(std::string_view op, std::vector<Operand> operands) {
  const OpSchema* schema = FindOperator(op);
  if (schema == nullptr) return std::nullopt;
  const auto results = Call(*schema, std::move(operands));
  return results && !results->empty() ? std::optional(results->front()) : std::nullopt;
}

}  // namespace pteproof::graph
