// Idea. A result takes the bytes of an operand that dies in the same step, if the operator goes
// element by element over that operand. Wishes of the graph (in_place) come first, then the calls
// with the largest results, which save most; for each call the first operand that Sharing accepts.
//
// Storages of buffers, constants and callers are left out. What is stored there is computed there
// already (elide_copies.cc), and any other result would have no placement of its own in the file.
//
// Cost: O(n log n) and one attempt of Sharing for each operand.
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
