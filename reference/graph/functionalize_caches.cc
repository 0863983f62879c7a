// Idea. An update of a cache is an operator of a library of its own. Its functional form is one
// that every runtime has.
//
//   update_cache(value, cache, k)                   slice_scatter(cache, value, 1, k, k + tokens)
//   update_cache_with_indices(value, cache, _, i)   index_put(cache, [batch, i], value)
//
// `batch` numbers the rows of the indices. Positions that no cache has are refused by a run of both
// forms. A slice would count negative starts from its end: it is one shorter then than the value,
// and so refused as well. Only negative indices of index_put count from the end.
//
// Cost: O(1) nodes for each update.
#include "reference/graph/functionalizer.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/names.h"
#include "reference/graph/node_typer.h"
#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

Node CallNamed(std::string_view op, std::vector<Operand> operands, ValueId result) {
  Node call;
  call.op = op;
  call.schema = FindOperator(op);
  call.operands = std::move(operands);
  call.results = {result};
  return call;
}

}  // namespace

// start + length, or one less for a negative start.
Operand Functionalizer::After(const Operand& start, const SizeExpr& length) {
  if (const auto* size = std::get_if<SizeExpr>(&start.held)) return Number(*size + length);
  constexpr int64_t kFar = int64_t{1} << 62;  // -1 is its quotient with a negative start
  const auto number = [&](std::string_view op, const Operand& a, const Operand& b) {
    const ValueId made = builder_.Declare(NumberType::kInt);
    builder_.Add(CallNamed(op, {a, b}, made));
    return Of(made);
  };
  const Operand end = number("executorch_prim::add.Scalar", start, Number(length));
  const Operand less = number("executorch_prim::floordiv.Scalar", start, Number(kFar));
  return number("executorch_prim::add.Scalar", end, less);
}

void Functionalizer::CacheUpdate(const Node& node) {
  const auto self = AliasedOperand(node);
  const bool is_whole = node.operands.size() >= 3;
  const auto value = is_whole ? ValueOfOperand(node.operands[0]) : std::nullopt;
  const TensorType* written = value ? TensorTypeOf(from_, *value) : nullptr;
  if (!self || written == nullptr || written->rank() != 4 || node.results.size() != 1) {
    return Refuse(node.op + " has no functional form");
  }
  const ValueId result = node.results.front();
  const Operand from = ReadOperand(node.operands[0]);
  const Operand cache = Of(Read(*self));
  if (node.operands.size() == 3) {
    const Operand start = ReadOperand(node.operands[2]);
    const auto* size = std::get_if<SizeExpr>(&start.held);
    if (size != nullptr && size->Constant().value_or(0) < 0) {
      return Refuse(node.op + " has no position " + std::to_string(*size->Constant()));
    }
    const Operand end = After(start, written->sizes[1]);
    builder_.Add(CallNamed("aten::slice_scatter.out",
                           {cache, from, Number(1), start, end, Number(1)}, result));
  } else {
    const SizeExpr batch = written->sizes[0];
    const ValueId row = builder_.Declare(TensorType{ScalarType::kInt64, {batch}});
    const ValueId column = builder_.Declare(TensorType{ScalarType::kInt64, {batch, 1}});
    builder_.Add(CallNamed("aten::arange.start_out", {Number(0), Number(batch), Number(1)}, row));
    builder_.Add(
        CallNamed("aten::view_copy.out", {Of(row), List({Number(batch), Number(1)})}, column));
    const Operand indices = List({Of(column), ReadOperand(node.operands[3])});
    builder_.Add(CallNamed("aten::index_put.out", {cache, indices, from, Flag(false)}, result));
  }
  const NodeTypes types = TypesOfNode(to_, builder_.last());
  if (!types.fault.empty()) return Refuse(node.op + ": " + types.fault);
  names_.AddSame(result, *self);
  Write(*self, result);
}

}  // namespace pteproof::graph
