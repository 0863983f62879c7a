#include "planner/passes/candidates.h"

#include "planner/passes/in_place_rules.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {

namespace {

// The operand whose rows the result has where they are: of a copy, or of an update in place.
std::optional<ValueId> KeptThere(const Code& code, const Sharing& sharing, const Step& step) {
  if (step.results.empty() || step.operands.empty()) return std::nullopt;
  if (step.kind != StepKind::kCopy && InPlaceForm(code, step) == nullptr) return std::nullopt;
  const auto value = graph::ValueOfOperand(step.operands.front());
  const bool there = value && TensorTypeOf(code, *value) != nullptr &&
                     sharing.Coincide(*value, step.results.front());
  return there ? value : std::nullopt;
}

}  // namespace

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
  // What a loop hands back may come before what it is handed.
  for (bool found = true; found;) {
    found = false;
    for (const Step& step : code.steps) {
      const auto kept = KeptThere(code, sharing, step);
      if (!kept || !stacked[static_cast<size_t>(*kept)]) continue;
      const auto result = static_cast<size_t>(step.results.front());
      found = found || !stacked[result];
      stacked[result] = true;
    }
  }
  return stacked;
}

}  // namespace pteproof::planner
