// Idea. Whether an operand may lie exactly under a result depends on the step alone: element i of
// the result may depend on element i of this operand only, and both have one type and the same
// sizes. An update of a part is of that kind: it keeps the other elements where they are. An
// operand that the call names twice must be allowed at each position. An operator that is not in
// the table works in place if the graph says so. Cost: O(operands).
#include "planner/passes/in_place_rules.h"

#include <algorithm>

#include "planner/code/parallel_copy.h"
#include "planner/code/same_bytes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

bool Names(const Operand& operand, ValueId value) {
  bool named = false;
  graph::ForEachValue(std::span(&operand, 1), [&](ValueId v) { named = named || v == value; });
  return named;
}

bool IsElementwise(const Step& step, size_t operand) {
  if (Planted(Defect::kAnyOperatorInPlace)) return true;
  if (step.schema == nullptr) return false;
  if (Planted(Defect::kSourceOfUpdate) && step.schema->args.front().elementwise) return true;
  const ArgSchema* arg = OperandSchema(*step.schema, operand);
  return arg != nullptr && (arg->elementwise || arg->access == Access::kNone);
}

// The one dimension that an index_put writes by index; nothing where it is not so simple.
std::optional<size_t> IndexedDimension(const Code& code, const Operand& indices) {
  const auto* list = std::get_if<graph::OperandList>(&indices.held);
  if (list == nullptr) return std::nullopt;
  std::optional<size_t> dimension;
  for (size_t d = 0; d < list->size(); ++d) {
    if (std::holds_alternative<std::monostate>((*list)[d].held)) continue;
    const auto index = graph::ValueOfOperand((*list)[d]);
    if (!index || dimension) return std::nullopt;
    const TensorType* type = TensorTypeOf(code, *index);
    const bool integer =
        type != nullptr && (type->dtype == ScalarType::kInt64 || type->dtype == ScalarType::kInt32);
    if (!integer || type->rank() != 1) return std::nullopt;
    dimension = d;
  }
  return dimension;
}

}  // namespace

const OpSchema* InPlaceForm(const Code& code, const Step& step) {
  if (step.kind != StepKind::kCall || step.op != "aten::index_put.out") return nullptr;
  const auto self = graph::ValueOfOperand(step.operands[0]);
  const auto values = graph::ValueOfOperand(step.operands[2]);
  const auto dimension = IndexedDimension(code, step.operands[1]);
  const bool* accumulate = std::get_if<bool>(&step.operands[3].held);
  if (!self || !values || !dimension || accumulate == nullptr || *accumulate) return nullptr;
  // A view has no value of its own in the file that could become the result's.
  if (RootOf(code, *self) != *self) return nullptr;
  const auto& indices = std::get<graph::OperandList>(step.operands[1].held);
  const ValueId index = *graph::ValueOfOperand(indices[*dimension]);
  TensorType written = *TensorTypeOf(code, *self);
  if (*dimension >= written.rank()) return nullptr;
  written.sizes[*dimension] = TensorTypeOf(code, index)->sizes.front();
  if (written != *TensorTypeOf(code, *values)) return nullptr;
  return FindOperator("aten::index_put_");
}

std::optional<ValueId> PassedThrough(const Step& step) {
  if (step.kind != StepKind::kCall || step.schema != nullptr || !step.in_place) return std::nullopt;
  const auto operand = graph::ValueOfOperand(step.operands[static_cast<size_t>(*step.in_place)]);
  if (!operand) return std::nullopt;
  const auto names = [&](const Operand& o) { return Names(o, *operand); };
  return std::ranges::count_if(step.operands, names) == 1 ? operand : std::nullopt;
}

bool MayLieUnder(const Code& code, const Step& step, ValueId operand, ValueId result) {
  if (step.kind == StepKind::kCopy || step.kind == StepKind::kMove) return true;
  if (step.kind != StepKind::kCall || step.results.front() != result) return false;
  if (BytesKept(code, step) == operand) return true;
  const TensorType* from = TensorTypeOf(code, operand);
  const TensorType* to = TensorTypeOf(code, result);
  if (from == nullptr || to == nullptr) return false;
  if (from->sizes != to->sizes && !Planted(Defect::kSpreadInPlace)) return false;
  if (from->dtype != to->dtype && !Planted(Defect::kInPlaceAcrossTypes)) return false;
  if (step.schema == nullptr) {
    return PassedThrough(step) == operand && RootOf(code, operand) == operand;
  }
  for (size_t o = 0; o < step.operands.size(); ++o) {
    if (!Names(step.operands[o], operand)) continue;
    if (!IsElementwise(step, o) || !graph::ValueOfOperand(step.operands[o])) return false;
  }
  return true;
}

}  // namespace pteproof::planner
