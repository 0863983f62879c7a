// Idea. A call without side effects whose results have no use is removed, which may remove uses of
// its operands. One backward pass finds whole chains in straight code; passes repeat until none
// finds more, as loops hand values backward.
//
// Invariant: uses[v] counts the reads of v by steps that stay and by the exit. Cost: O(rounds x
// steps), where the rounds are few.
#include <algorithm>

#include "planner/code/edit.h"
#include "planner/passes/liveness.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

// Steps that do nothing but make their results.
bool IsPure(const Step& step) {
  if (step.kind == StepKind::kCopy || step.kind == StepKind::kMove) return true;
  if (step.kind != StepKind::kCall || step.schema == nullptr || step.schema->in_place) return false;
  return !step.results.empty() && step.begins.empty();
}

}  // namespace

void DropDead(Code& code) {
  std::vector<int32_t> uses(code.values.size());
  const auto count = [&](const Step& step, int32_t by) {
    const auto note = [&](ValueId v) { uses[static_cast<size_t>(v)] += by; };
    graph::ForEachValue(step.operands, note);
    const bool sized = step.view_sizes && !Planted(Defect::kViewSizesNotRead);
    if (sized) graph::ForEachValue(*step.view_sizes, note);
  };
  for (const Step& step : code.steps) count(step, 1);
  for (const ValueId v : Planted(Defect::kStoresDead) ? code.outputs : WantedAtExit(code)) {
    ++uses[static_cast<size_t>(v)];
  }
  std::vector<bool> dead(code.steps.size());
  for (bool more = true; more;) {
    more = false;
    for (size_t s = code.steps.size(); s-- > 0;) {
      const Step& step = code.steps[s];
      if (dead[s] || !IsPure(step)) continue;
      const auto unused = [&](ValueId v) { return uses[static_cast<size_t>(v)] == 0; };
      if (!std::ranges::all_of(step.results, unused)) continue;
      dead[s] = more = true;
      count(step, -1);
    }
  }
  RemoveSteps(code, dead);
}

}  // namespace pteproof::planner
