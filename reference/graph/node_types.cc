// The types of a node's results by rule.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "reference/evaluate.h"
#include "reference/graph/call_operands.h"
#include "reference/graph/control_types.h"
#include "reference/graph/node_typer.h"
#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

// "executorch_prim::add.Scalar" is "add".
std::string_view BareName(std::string_view op) {
  op.remove_prefix(op.find("::") + 2);
  return op.substr(0, op.find('.'));
}

template <size_t N>
bool IsAmong(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

constexpr auto kBoolResult =
    std::to_array<std::string_view>({"eq", "ne", "gt", "lt", "ge", "le", "sym_not"});
constexpr auto kRealResult = std::to_array<std::string_view>({"truediv", "sym_float"});
// Of whole numbers whole, of others not.
constexpr auto kResultOfOperands = std::to_array<std::string_view>(
    {"add", "sub", "mul", "floordiv", "mod", "neg", "sym_max", "sym_min", "sym_ite"});

NumberType OfElements(ScalarType dtype) {
  if (dtype == ScalarType::kBool) return NumberType::kBool;
  return IsFloat(dtype) ? NumberType::kReal : NumberType::kInt;
}

NumberType NumberResult(std::string_view op, std::span<const TypeArgument> args) {
  const std::string_view name = BareName(op);
  if (IsAmong(name, kBoolResult)) return NumberType::kBool;
  if (IsAmong(name, kRealResult)) return NumberType::kReal;
  if (name == "_local_scalar_dense") return OfElements(std::get<const TensorType*>(args[0])->dtype);
  const bool real = std::ranges::any_of(
      args, [](const TypeArgument& arg) { return std::holds_alternative<double>(arg); });
  return real && IsAmong(name, kResultOfOperands) ? NumberType::kReal : NumberType::kInt;
}

// Operators whose signature does not say the element type of the result: it is the declared one.
bool IsOfDeclaredDtype(const OpSchema& schema) {
  static constexpr auto kOps = std::to_array<std::string_view>(
      {"aten::_to_copy.out", "aten::arange.out", "aten::arange.start_out", "aten::empty.out",
       "aten::full.out", "aten::full_like.out", "aten::ones.out", "aten::rand.out",
       "aten::randn.out", "aten::scalar_tensor.out", "aten::zeros.out",
       "dim_order_ops::_empty_dim_order.out", "dim_order_ops::_to_dim_order_copy.out"});
  static const auto of_declared = [] {
    std::array<const OpSchema*, kOps.size()> schemas;
    std::ranges::transform(kOps, schemas.begin(), FindOperator);
    return schemas;
  }();
  return std::ranges::find(of_declared, &schema) != of_declared.end();
}

void TakeDeclaredDtypes(const Method& method, const Node& node, std::vector<ValueType>& types) {
  for (size_t r = 0; r < std::min(types.size(), node.results.size()); ++r) {
    const auto* declared = std::get_if<TensorType>(TypeOfValue(method, node.results[r]));
    if (declared != nullptr) std::get<TensorType>(types[r]).dtype = declared->dtype;
  }
}

// These make as many elements as a number says, and a rule knows of a float that is a value no more
// than that it is one.
bool CountsByNumber(const Method& method, const Node& node) {
  if (!node.op.starts_with("aten::arange.")) return false;
  return std::ranges::any_of(node.operands, [&](const Operand& operand) {
    const auto* value = std::get_if<Operand::Value>(&operand.held);
    return value != nullptr && TypeOfValue(method, value->id) != nullptr;
  });
}

// What an in-place operator without a type rule writes keeps its type. False: such types must be
// declared.
bool TakeWrittenOperands(const OpSchema& schema, std::span<const TypeArgument> args,
                         std::vector<ValueType>& types) {
  size_t next = 0;
  for (const ArgSchema& arg : schema.args) {
    if (arg.out && arg.access != Access::kNone) return false;
    if (arg.out) continue;
    const TypeArgument& given = args[next++];
    if (arg.access == Access::kRead || arg.access == Access::kNone) continue;
    if (arg.kind != ArgKind::kTensor) return false;
    types.emplace_back(*std::get<const TensorType*>(given));
  }
  return true;
}

// Operators with one number of results, whatever they are given: that many must be declared.
std::string DeclarationFault(const OpSchema& schema, size_t results) {
  size_t least = 0;
  size_t most = 0;
  for (const ArgSchema& arg : schema.args) {
    if (arg.access == Access::kRead || (arg.access == Access::kNone && !arg.out)) continue;
    if (arg.kind != ArgKind::kTensor) return {};
    ++most;
    if (arg.access != Access::kNone) ++least;
  }
  if (results >= least && results <= most) return {};
  return "there are " + std::to_string(results) + " results, and the operator gives " +
         std::to_string(least);
}

// The evaluator's explanations begin with the operator's name.
std::string WithoutName(const Node& node, const std::string& explanation) {
  const std::string prefix = node.op + ": ";
  return explanation.starts_with(prefix) ? explanation.substr(prefix.size()) : explanation;
}

bool DependsOnRun(const TensorType& type, const Method& method) {
  return std::ranges::any_of(type.sizes, [&](const SizeExpr& size) {
    return size.HighestSymbol() >= static_cast<int32_t>(method.dims.size());
  });
}

}  // namespace

std::string NodeTyper::TypeWithoutRule(const Node& node) {
  if (node.schema->in_place && TakeWrittenOperands(*node.schema, args_, made_.types)) return {};
  made_.types.clear();
  made_.declared = true;
  return DeclarationFault(*node.schema, node.results.size());
}

std::string NodeTyper::TypeCall(const Node& node) {
  const OpSchema& schema = *node.schema;
  if (schema.returns == ReturnSlot::kNone) {
    return "the operator has no result: use its functional form in a Module";
  }
  if (std::string why = TypeArguments(method_, node, args_); !why.empty()) return why;
  if (schema.returns == ReturnSlot::kScalar) {
    made_.types.emplace_back(NumberResult(node.op, args_));
    return {};
  }
  if (CountsByNumber(method_, node)) return "the size of the result must be known";
  auto types = ResultTypes(schema, args_);
  if (!types.ok()) {
    return types.error().unknown ? TypeWithoutRule(node)
                                 : WithoutName(node, types.error().explanation);
  }
  for (TensorType& type : types.value()) {
    if (DependsOnRun(type, method_)) {
      return "the size of a result depends on a number that is known in a run only; sizes depend "
             "on dims only";
    }
    made_.types.emplace_back(std::move(type));
  }
  if (IsOfDeclaredDtype(schema)) TakeDeclaredDtypes(method_, node, made_.types);
  return {};
}

NodeTypes& NodeTyper::Of(const Node& node) {
  const bool call = node.kind == NodeKind::kCall;
  if (!call && node.kind != NodeKind::kDelegate) return made_ = ControlTypes(method_, node);
  made_.types.clear();
  made_.declared = !call || node.schema == nullptr;
  made_.fault = made_.declared ? std::string() : TypeCall(node);
  if (!made_.fault.empty()) made_ = NodeTypes::Faulty(std::move(made_.fault));
  return made_;
}

NodeTypes TypesOfNode(const Method& method, const Node& node) {
  return std::move(NodeTyper(method).Of(node));
}

}  // namespace pteproof::graph
