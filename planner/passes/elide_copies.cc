#include "planner/passes/candidates.h"
#include "planner/passes/passes.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {

void ElideCopies(const Code& code, Sharing& sharing) {
  const auto is_copy = [](const Step& step) { return step.kind == StepKind::kCopy; };
  for (const Step* step : LargestFirst(code, sharing, is_copy)) {
    sharing.TryShare(step->results.front(), *graph::ValueOfOperand(step->operands.front()));
  }
}

}  // namespace pteproof::planner
