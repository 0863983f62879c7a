#include "planner/passes/candidates.h"

#include "reference/graph/method_uses.h"

namespace pteproof::planner {

std::vector<bool> GivenToDelegates(const Code& code) {
  std::vector<bool> delegated(code.values.size());
  for (const Step& step : code.steps) {
    if (step.kind != StepKind::kDelegate) continue;
    graph::ForEachValue(step.operands,
                        [&](ValueId v) { delegated[static_cast<size_t>(v)] = true; });
  }
  return delegated;
}

}  // namespace pteproof::planner
