#include "planner/code/same_bytes.h"

#include "planner/planted.h"
#include "reference/graph/method_uses.h"
#include "reference/kept_operand.h"

namespace pteproof::planner {

std::optional<ValueId> BytesKept(const Code& code, const Step& step) {
  if (step.kind != StepKind::kCall || step.results.size() != 1 || step.operands.empty()) return {};
  const auto kept = KeptOperand(step.op);
  if (!kept) return {};
  const auto base = graph::ValueOfOperand(step.operands[*kept]);
  if (!base || code.values[static_cast<size_t>(*base)].carried) return {};
  const TensorType* from = TensorTypeOf(code, *base);
  const TensorType* to = TensorTypeOf(code, step.results.front());
  if (from == nullptr || to == nullptr || from->dtype != to->dtype) return {};
  // Of copy's self only the sizes matter: what is stored may be spread or converted.
  if (*kept != 0 && *from != *to && !Planted(Defect::kSpreadTakenForView)) return {};
  return base;
}

}  // namespace pteproof::planner
