// Idea. What a store, a branch or a loop hands over is computed where it goes, so that the copy is
// left with nothing to do. Copies with the most bytes go first; Sharing refuses those that would
// lose a byte.
//
//   before  n = f(x); s <- copy(n)          after  n = f(x), in the bytes of s
//
// Cost: O(n log n) and one attempt of Sharing for each copy.
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
