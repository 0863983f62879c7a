// The types of a node's results by rule.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "reference/evaluate.h"
#include "reference/graph/call_operands.h"
#include "reference/graph/control_types.h"
#include "reference/graph/validate.h"

namespace pteproof::graph {
namespace {

NodeTypes Declared() {
  return {.types = {}, .declared = true, .fault = {}};
}

// "executorch_prim::add.Scalar" is "add".
std::string_view BareName(std::string_view op) {
  op.remove_prefix(op.find("::") + 2);
  return op.substr(0, op.find('.'));
}

template <size_t N>
bool IsOneOf(std::string_view name, const std::array<std::string_view, N>& names) {
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
  if (IsOneOf(name, kBoolResult)) return NumberType::kBool;
  if (IsOneOf(name, kRealResult)) return NumberType::kReal;
  if (name == "_local_scalar_dense") return OfElements(std::get<const TensorType*>(args[0])->dtype);
  const bool real = std::ranges::any_of(
      args, [](const TypeArgument& arg) { return std::holds_alternative<double>(arg); });
  return real && IsOneOf(name, kResultOfOperands) ? NumberType::kReal : NumberType::kInt;
}

// Operators whose signature does not say the element type of the result: it is the declared one.
bool IsOfDeclaredDtype(const OpSchema& schema) {
  static constexpr auto kOps = std::to_array<std::string_view>(
      {"aten::_to_copy.out", "aten::arange.out", "aten::arange.start_out", "aten::empty.out",
       "aten::full.out", "aten::full_like.out", "aten::ones.out", "aten::rand.out",
       "aten::randn.out", "aten::scalar_tensor.out", "aten::zeros.out",
       "dim_order_ops::_empty_dim_order.out", "dim_order_ops::_to_dim_order_copy.out"});
  static const std::unordered_set<const OpSchema*> of_declared = [] {
    std::unordered_set<const OpSchema*> schemas;
    for (const std::string_view op : kOps) schemas.insert(FindOperator(op));
    return schemas;
  }();
  return of_declared.contains(&schema);
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
  if (BareName(node.op) != "arange") return false;
  return std::ranges::any_of(node.operands, [&](const Operand& operand) {
    const auto* value = std::get_if<Operand::Value>(&operand.held);
    return value != nullptr && TypeOfValue(method, value->id) != nullptr;
  });
}

// What an in-place operator without a type rule writes keeps its type.
NodeTypes WrittenOperands(const OpSchema& schema, std::span<const TypeArgument> args) {
  NodeTypes result;
  size_t next = 0;
  for (const ArgSchema& arg : schema.args) {
    if (arg.out && arg.access != Access::kNone) return Declared();
    if (arg.out) continue;
    const TypeArgument& given = args[next++];
    if (arg.access == Access::kRead || arg.access == Access::kNone) continue;
    if (arg.kind != ArgKind::kTensor) return Declared();
    result.types.emplace_back(*std::get<const TensorType*>(given));
  }
  return result;
}

// Operators with one number of results, whatever they are given: that many must be declared.
NodeTypes DeclaredResults(const OpSchema& schema, const Node& node) {
  size_t least = 0;
  size_t most = 0;
  for (const ArgSchema& arg : schema.args) {
    if (arg.access == Access::kRead || (arg.access == Access::kNone && !arg.out)) continue;
    if (arg.kind != ArgKind::kTensor) return Declared();
    ++most;
    if (arg.access != Access::kNone) ++least;
  }
  if (node.results.size() >= least && node.results.size() <= most) return Declared();
  return NodeTypes::Faulty("there are " + std::to_string(node.results.size()) +
                           " results; the operator makes " + std::to_string(least));
}

NodeTypes CallTypes(const Method& method, const Node& node) {
  if (node.schema == nullptr) return Declared();
  const OpSchema& schema = *node.schema;
  if (schema.returns == ReturnSlot::kNone) {
    return NodeTypes::Faulty(
        "the operator returns nothing: it belongs to programs, not to Modules");
  }
  const auto args = TypeArguments(method, node);
  if (!args.ok()) return NodeTypes::Faulty(args.error());
  if (schema.returns == ReturnSlot::kScalar) {
    return {.types = {NumberResult(node.op, args.value())}, .declared = false, .fault = {}};
  }
  if (CountsByNumber(method, node))
    return NodeTypes::Faulty("the size of the result must be known");
  auto types = ResultTypes(schema, args.value());
  if (!types.ok() && types.error().unknown) {
    NodeTypes kept = Declared();
    if (schema.in_place) kept = WrittenOperands(schema, args.value());
    return kept.declared ? DeclaredResults(schema, node) : kept;
  }
  if (!types.ok()) {
    const std::string prefix = node.op + ": ";
    const std::string& story = types.error().story;
    return NodeTypes::Faulty(story.starts_with(prefix) ? story.substr(prefix.size()) : story);
  }
  NodeTypes result;
  result.types.reserve(types.value().size());
  for (TensorType& type : types.value()) {
    for (const SizeExpr& size : type.sizes) {
      if (size.HighestSymbol() < static_cast<int32_t>(method.dims.size())) continue;
      return NodeTypes::Faulty(
          "the size of a result depends on a number of the run; it may on dims only");
    }
    result.types.emplace_back(std::move(type));
  }
  if (IsOfDeclaredDtype(schema)) TakeDeclaredDtypes(method, node, result.types);
  return result;
}

}  // namespace

NodeTypes TypesOfNode(const Method& method, const Node& node) {
  if (node.kind == NodeKind::kCall) return CallTypes(method, node);
  if (node.kind == NodeKind::kDelegate) return Declared();
  return ControlTypes(method, node);
}

}  // namespace pteproof::graph
