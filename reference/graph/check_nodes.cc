// What makes nodes well-formed.
#include <set>
#include <utility>

#include "reference/graph/bounds.h"
#include "reference/graph/call_operands.h"
#include "reference/graph/check_method.h"
#include "reference/graph/limits.h"
#include "reference/graph/names.h"
#include "reference/graph/type_text.h"
#include "reference/graph/views.h"
#include "reference/op_schema.h"
#include "reference/text/literals.h"

namespace pteproof::graph {
namespace {

std::string Title(const MethodCheck& check, const Node& node) {
  std::string title;
  for (const ValueId result : node.results) {
    title += (title.empty() ? "" : ", ") + NameOf(check.names, result);
  }
  if (!title.empty()) title += " = ";
  if (node.kind == NodeKind::kCall) return title + node.op;
  if (node.kind == NodeKind::kDelegate) return title + "delegate " + text::QuotedText(node.op);
  return title + std::string(KindWord(node.kind));
}

// A node with its reports, each of which begins with the node.
struct NodeCheck {
  MethodCheck& check;
  const Node& node;

  void Report(const std::string& why) const { check.Report(Title(check, node) + ": " + why); }
  [[nodiscard]] const ValueType* TypeOf(ValueId value) const {
    return TypeOfValue(check.method, value);
  }
};

// False: it uses what it may not, and has no type.
bool CheckOperand(const NodeCheck& at, const Operand& operand, int depth) {
  if (const auto* value = std::get_if<Operand::Value>(&operand.held)) {
    return at.check.Use(value->id);
  }
  if (const auto* size = std::get_if<SizeExpr>(&operand.held)) {
    if (size->HighestSymbol() < static_cast<int32_t>(at.check.method.dims.size())) return true;
    at.Report("an operand names a dim that the method does not declare");
    return false;
  }
  const auto* list = std::get_if<OperandList>(&operand.held);
  if (list == nullptr) return true;
  if (depth == kDeepestList) {
    at.Report("lists are nested deeper than " + std::to_string(kDeepestList));
    return false;
  }
  bool good = true;
  for (const Operand& each : *list) good &= CheckOperand(at, each, depth + 1);
  return good;
}

void CheckOperator(const NodeCheck& at) {
  const Node& node = at.node;
  const bool call = node.kind == NodeKind::kCall;
  const bool known = call && node.schema != nullptr && node.schema->name == node.op;
  if (call && !known && !IsOperatorName(node.op))
    at.Report(
        "the name of the operator is malformed: names have the form ns::name or ns::name.overload");
  const bool right =
      known || (node.schema == nullptr && !(call && FindOperator(node.op) != nullptr));
  if (!right) at.Report("the signature is not the operator's");
  const bool flow = !call && node.kind != NodeKind::kDelegate;
  if (flow && !node.op.empty()) at.Report("control flow takes no operator");
  if (!flow && !node.regions.empty()) at.Report("only control flow has regions");
  const bool carries = node.kind == NodeKind::kWhile || node.kind == NodeKind::kScan;
  if (!carries && node.carried != 0) at.Report("only while and scan carry operands");
  const bool maps = node.kind == NodeKind::kMap || node.kind == NodeKind::kScan;
  if (!maps && node.mapped != 0) at.Report("only map and scan take mapped operands");
}

void CheckView(const NodeCheck& at) {
  if (!at.node.view) return;
  if (at.node.kind != NodeKind::kCall || !CanBeView(at.node.op)) {
    at.Report("a view needs an operator that only selects and orders elements of operand 0");
  }
  if (at.node.in_place) at.Report("a view is not computed in place");
}

// Whether it is right there is CheckInPlace's question in in_place.h, equal types included.
void CheckInPlace(const NodeCheck& at) {
  if (!at.node.in_place) return;
  if (at.node.kind != NodeKind::kCall || Mutates(at.node)) {
    return at.Report("only a functional operator can be computed in place");
  }
  const auto operand = static_cast<size_t>(*at.node.in_place);
  if (*at.node.in_place < 0 || operand >= at.node.operands.size() || at.node.results.empty()) {
    return at.Report("in_place names a missing operand");
  }
  const auto* value = std::get_if<Operand::Value>(&at.node.operands[operand].held);
  const ValueType* type = value == nullptr ? nullptr : at.TypeOf(value->id);
  if (type == nullptr || !std::holds_alternative<TensorType>(*type)) {
    return at.Report("in_place names an operand that is not a tensor");
  }
}

void CheckDelegateBuffers(const NodeCheck& at) {
  const auto& buffers = at.node.buffers;
  if (buffers.empty()) return;
  if (at.node.kind != NodeKind::kDelegate) return at.Report("only a delegate has buffers");
  std::set<int32_t> seen;
  for (const DelegateBuffer& each : buffers) {
    if (!at.check.HasBuffer(each.buffer)) at.Report("the buffer does not exist");
    if (!seen.insert(each.buffer).second) at.Report("a buffer is named twice");
  }
}

void CheckTypes(const NodeCheck& at) {
  const NodeTypes types = TypesOfNode(at.check.method, at.node);
  if (!types.fault.empty()) return at.Report(types.fault);
  if (types.declared) return;
  const auto& results = at.node.results;
  if (types.types.size() != results.size()) {
    return at.Report("there are " + std::to_string(results.size()) +
                     " results, and the node gives " + std::to_string(types.types.size()));
  }
  for (size_t r = 0; r < results.size(); ++r) {
    const ValueType* declared = at.TypeOf(results[r]);
    if (declared == nullptr || SameType(*declared, types.types[r], at.check.method)) continue;
    at.Report("result " + std::to_string(r) + " is " +
              TypeText(types.types[r], at.check.method.dims) + ", declared as " +
              TypeText(*declared, at.check.method.dims));
  }
}

// False: a value in it has no meaning, so that types would say nothing.
bool CheckRegion(const NodeCheck& at, const Region& region) {
  MethodCheck& check = at.check;
  if (check.depth == kDeepestRegion) {
    at.Report("regions are nested deeper than " + std::to_string(kDeepestRegion));
    return false;
  }
  const int32_t outer = std::exchange(check.region, check.regions++);
  ++check.depth;
  bool good = true;
  for (const ValueId param : region.params) good &= check.Define(param);
  const Place place = check.place;
  CheckNodes(check, region);
  check.place = place;
  for (const ValueId result : region.results) good &= check.Use(result);
  --check.depth;
  check.region = outer;
  return good;
}

void CheckNode(const NodeCheck& at) {
  CheckOperator(at);
  bool good = true;
  for (const Operand& operand : at.node.operands) good &= CheckOperand(at, operand, 0);
  for (const ValueId after : at.node.after) at.check.Use(after);
  CheckView(at);
  CheckDelegateBuffers(at);
  for (const Region& region : at.node.regions) good &= CheckRegion(at, region);
  if (good) {
    CheckInPlace(at);
    CheckTypes(at);
  }
  for (const ValueId result : at.node.results) at.check.Define(result);
}

}  // namespace

void CheckNodes(MethodCheck& check, const Region& region) {
  for (const Node& node : region.nodes) {
    check.place = {PlaceKind::kNode, check.index, check.nodes++};
    CheckNode({check, node});
  }
}

}  // namespace pteproof::graph
