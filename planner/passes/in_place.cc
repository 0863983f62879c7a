#include "planner/code/same_bytes.h"
#include "planner/passes/candidates.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {

// Not in the bytes of a buffer or a caller: what goes there is made there already, and what does
// not would have no place of its own in the file.
void MakeInPlace(const Code& code, Sharing& sharing) {
  const auto is_pinned = [&](ValueId value) {
    const auto storage = static_cast<size_t>(sharing.StorageIndexOf(value));
    const Pin::Kind kind = sharing.storages()[storage].pin.kind;
    if (kind == Pin::Kind::kConstant && Planted(Defect::kConstantWritable)) return false;
    if (kind == Pin::Kind::kInput && Planted(Defect::kInputWritable)) return false;
    return kind != Pin::Kind::kNone;
  };
  const auto share = [&](const Step& step, size_t operand) {
    const auto value = graph::ValueOfOperand(step.operands[operand]);
    return value && TensorTypeOf(code, *value) != nullptr && !is_pinned(*value) &&
           !is_pinned(step.results.front()) &&
           MayLieUnder(code, step, *value, step.results.front()) &&
           sharing.TryShare(*value, step.results.front());
  };
  const auto is_call = [&](const Step& step) {
    return step.kind == StepKind::kCall && !step.results.empty() && !BytesKept(code, step);
  };
  for (const Step& step : code.steps) {
    if (is_call(step) && step.in_place) share(step, static_cast<size_t>(*step.in_place));
  }
  for (const Step* step : LargestFirst(code, sharing, is_call)) {
    for (size_t o = 0; o < step->operands.size(); ++o) {
      if (share(*step, o)) break;
    }
  }
}

}  // namespace pteproof::planner
