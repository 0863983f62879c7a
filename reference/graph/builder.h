// Builds a method value by value: operators by name with their operands, result types by rule.
// For generators, passes and tests that write graphs by hand.
#ifndef PTEPROOF_REFERENCE_GRAPH_BUILDER_H_
#define PTEPROOF_REFERENCE_GRAPH_BUILDER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/graph/module.h"
#include "reference/graph/node_typer.h"
#include "reference/op_schema.h"

namespace pteproof::graph {

[[nodiscard]] inline Operand Of(ValueId value) {
  return {Operand::Value{value}};
}
[[nodiscard]] inline Operand Number(SizeExpr size) {
  return {std::move(size)};
}
[[nodiscard]] inline Operand Real(double number) {
  return {number};
}
[[nodiscard]] inline Operand Flag(bool flag) {
  return {flag};
}
[[nodiscard]] inline Operand None() {
  return {std::monostate{}};
}
[[nodiscard]] inline Operand List(OperandList items) {
  return {std::move(items)};
}
// Values, then integers: what most calls take.
[[nodiscard]] OperandList ValuesAndNumbers(std::initializer_list<ValueId> values,
                                           std::initializer_list<int64_t> numbers = {});
// Moves them, where an initializer list would copy.
template <class... Each>
[[nodiscard]] OperandList Operands(Each... each) {
  OperandList operands;
  operands.reserve(sizeof...(each));
  (operands.push_back(std::move(each)), ...);
  return operands;
}

// Appends to a method that must outlive it. Nodes go to the innermost open region.
class Builder {
 public:
  explicit Builder(Method& method) : method_(method), typer_(method), regions_{&method.body} {}

  // A new value that nothing defines yet.
  ValueId Declare(ValueType type);
  ValueId AddInput(std::string name, ValueType type, bool in_place = false);
  ValueId AddEntry(int32_t buffer, TensorType type);

  // A call of an operator with the results that its type rule gives; its first result. Nothing, and
  // no change, when the operator is unknown, has no type rule or no result, or does not take the
  // operands. The node may be changed (`view`, `in_place`, `pool`) through last() till the next one
  // is added.
  std::optional<ValueId> CallOne(const OpSchema& schema, std::vector<Operand> operands);
  std::optional<ValueId> CallOne(std::string_view op, std::vector<Operand> operands);

  // Room for so many more nodes in the innermost open region.
  void ReserveNodes(size_t count) {
    regions_.back()->nodes.reserve(regions_.back()->nodes.size() + count);
  }

  // A node as it is; its results must be declared.
  Node& Add(Node node);
  [[nodiscard]] Node& last() { return regions_.back()->nodes.back(); }

  // Nodes go to `region`, which must stay where it is, until the matching Close.
  void Open(Region& region) { regions_.push_back(&region); }
  void Close() { regions_.pop_back(); }

  [[nodiscard]] const TensorType* TypeOf(ValueId value) const {
    return TensorTypeOf(method_, value);
  }
  [[nodiscard]] Method& method() { return method_; }

 private:
  Method& method_;
  NodeTyper typer_;
  std::vector<Region*> regions_;
};

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_BUILDER_H_
