#include "planner/passes/candidates.h"

#include "planner/passes/in_place_rules.h"
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

std::vector<bool> StackedByRows(const Code& code, const Sharing& sharing) {
  std::vector<bool> stacked(code.values.size());
  for (size_t v = 0; v < stacked.size(); ++v) stacked[v] = code.values[v].stacked;
  for (const Step& step : code.steps) {
    if (step.results.empty() || InPlaceForm(code, step) == nullptr) continue;
    const auto updated = graph::ValueOfOperand(step.operands.front());
    const ValueId result = step.results.front();
    if (!updated || !stacked[static_cast<size_t>(*updated)]) continue;
    if (sharing.Coincide(*updated, result)) stacked[static_cast<size_t>(result)] = true;
  }
  return stacked;
}

}  // namespace pteproof::planner
