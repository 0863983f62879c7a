#include "reference/graph/control_types.h"

#include <algorithm>
#include <span>
#include <utility>

#include "reference/graph/call_operands.h"
#include "reference/graph/type_text.h"

namespace pteproof::graph {
namespace {

using TypeList = std::vector<ValueType>;

NodeTypes Good(TypeList types) {
  return {.types = std::move(types), .declared = false, .fault = {}};
}

// The types of all of them; nothing when one does not exist.
std::optional<TypeList> TypesOf(const Method& method, std::span<const ValueId> values) {
  TypeList types;
  for (const ValueId value : values) {
    const ValueType* type = TypeOfValue(method, value);
    if (type == nullptr) return std::nullopt;
    types.push_back(*type);
  }
  return types;
}

std::optional<TypeList> OperandTypes(const Method& method, const Node& node) {
  std::vector<ValueId> values;
  for (const Operand& operand : node.operands) {
    const auto* value = std::get_if<Operand::Value>(&operand.held);
    if (value == nullptr) return std::nullopt;
    values.push_back(value->id);
  }
  return TypesOf(method, values);
}

// Why one list of types is not the other; empty: it is. `what` and `whose` name both sides.
std::string Difference(const Method& method, std::string_view what, const TypeList& given,
                       std::string_view whose, const TypeList& wanted) {
  if (given.size() != wanted.size()) {
    return "there are " + std::to_string(given.size()) + " " + std::string(what) + "s for " +
           std::to_string(wanted.size()) + " " + std::string(whose);
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] == wanted[i]) continue;
    return std::string(what) + " " + std::to_string(i) + " is " + TypeText(given[i], method.dims) +
           ", not " + TypeText(wanted[i], method.dims);
  }
  return {};
}

bool IsPredicate(const ValueType& type) {
  const auto* tensor = std::get_if<TensorType>(&type);
  if (tensor == nullptr) return std::get<NumberType>(type) == NumberType::kBool;
  return tensor->dtype == ScalarType::kBool && Product(tensor->sizes).Is(1);
}

constexpr const char* kPredicate = "a bool, or a bool tensor of one element";

std::string ParamFault(const Method& method, const Region& region, std::string_view name,
                       const TypeList& wanted) {
  const auto params = TypesOf(method, region.params);
  if (!params) return "a parameter does not exist";
  const std::string why = Difference(method, "parameter", *params, "operands", wanted);
  return why.empty() ? why : std::string(name) + ": " + why;
}

NodeTypes CondTypes(const Method& method, const Node& node, const TypeList& operands) {
  if (operands.empty() || !IsPredicate(operands[0])) {
    return NodeTypes::Faulty(std::string("the first operand must be ") + kPredicate);
  }
  const TypeList args(operands.begin() + 1, operands.end());
  for (size_t r = 0; r < 2; ++r) {
    const std::string why =
        ParamFault(method, node.regions[r], r == 0 ? "then-branch" : "else-branch", args);
    if (!why.empty()) return NodeTypes::Faulty(why);
  }
  auto first = TypesOf(method, node.regions[0].results);
  const auto second = TypesOf(method, node.regions[1].results);
  if (!first || !second) return NodeTypes::Faulty("a result of a branch does not exist");
  const std::string why =
      Difference(method, "result", *second, "results of the then-branch", *first);
  if (!why.empty()) return NodeTypes::Faulty("else-branch: " + why);
  return Good(*std::move(first));
}

NodeTypes WhileTypes(const Method& method, const Node& node, const TypeList& operands) {
  const auto carried = static_cast<size_t>(node.carried);
  if (carried == 0) return NodeTypes::Faulty("at least one operand must be carried");
  for (size_t r = 0; r < 2; ++r) {
    const std::string why = ParamFault(method, node.regions[r], r == 0 ? "test" : "body", operands);
    if (!why.empty()) return NodeTypes::Faulty(why);
  }
  const auto test = TypesOf(method, node.regions[0].results);
  if (!test || test->size() != 1 || !IsPredicate(test->front())) {
    return NodeTypes::Faulty(std::string("the test must return ") + kPredicate);
  }
  const auto body = TypesOf(method, node.regions[1].results);
  if (!body) return NodeTypes::Faulty("a result of the body does not exist");
  TypeList types(operands.begin(), operands.begin() + node.carried);
  const std::string why = Difference(method, "result", *body, "carried operands", types);
  if (!why.empty()) return NodeTypes::Faulty("body: " + why);
  return Good(std::move(types));
}

// Drops dim 0 of the mapped operands: types then are those of a row. Nothing: they have no common
// dim 0.
std::optional<SizeExpr> TakeRows(TypeList& operands, const Node& node) {
  std::optional<SizeExpr> rows;
  for (int32_t m = node.carried; m < node.carried + node.mapped; ++m) {
    auto* tensor = std::get_if<TensorType>(&operands[static_cast<size_t>(m)]);
    if (tensor == nullptr || tensor->sizes.empty()) return std::nullopt;
    if (rows && *rows != tensor->sizes[0]) return std::nullopt;
    rows = tensor->sizes[0];
    tensor->sizes.erase(tensor->sizes.begin());
  }
  return rows;
}

// kMap is a scan that carries nothing.
NodeTypes ScanTypes(const Method& method, const Node& node, TypeList operands) {
  if (node.mapped == 0) return NodeTypes::Faulty("at least one operand must be mapped");
  const auto rows = TakeRows(operands, node);
  if (!rows)
    return NodeTypes::Faulty("the mapped operands must be tensors with equal sizes of dim 0");
  std::string why = ParamFault(method, node.regions[0], "body", operands);
  if (!why.empty()) return NodeTypes::Faulty(why);
  auto types = TypesOf(method, node.regions[0].results);
  if (!types) return NodeTypes::Faulty("a result of the body does not exist");
  const auto carried = static_cast<size_t>(node.carried);
  if (types->size() < carried) return NodeTypes::Faulty("body: a carried value is not returned");
  const TypeList kept(types->begin(), types->begin() + node.carried);
  operands.resize(carried);
  why = Difference(method, "result", kept, "carried operands", operands);
  if (!why.empty()) return NodeTypes::Faulty("body: " + why);
  for (size_t t = carried; t < types->size(); ++t) {
    auto* tensor = std::get_if<TensorType>(&(*types)[t]);
    if (tensor == nullptr) {
      return NodeTypes::Faulty("body: result " + std::to_string(t) +
                               " is not a tensor and cannot be stacked");
    }
    tensor->sizes.insert(tensor->sizes.begin(), *rows);
  }
  return Good(*std::move(types));
}

}  // namespace

NodeTypes ControlTypes(const Method& method, const Node& node) {
  auto operands = OperandTypes(method, node);
  if (!operands) return NodeTypes::Faulty("the operands must be values");
  const size_t regions = node.kind == NodeKind::kCond || node.kind == NodeKind::kWhile ? 2 : 1;
  if (node.regions.size() != regions) {
    return NodeTypes::Faulty("there are " + std::to_string(node.regions.size()) + " regions, not " +
                             std::to_string(regions));
  }
  const auto counted = static_cast<int64_t>(node.carried) + node.mapped;
  if (node.carried < 0 || node.mapped < 0 || counted > static_cast<int64_t>(operands->size())) {
    return NodeTypes::Faulty(
        "the numbers of carried and mapped operands exceed the number of operands");
  }
  if (node.kind == NodeKind::kCond) return CondTypes(method, node, *operands);
  if (node.kind == NodeKind::kWhile) return WhileTypes(method, node, *operands);
  return ScanTypes(method, node, *std::move(operands));
}

}  // namespace pteproof::graph
