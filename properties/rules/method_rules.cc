#include "properties/rules/method_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/rule_names.h"
#include "properties/rules/devices.h"
#include "properties/rules/dim_orders.h"
#include "properties/rules/displaced_outputs.h"
#include "properties/rules/missing_memory.h"
#include "properties/rules/shared_outputs.h"
#include "properties/rules/view_orders.h"
#include "properties/rules/wording.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

// The last store to a value by an operator that replaces all of it, -1: none.
int32_t LastStoreTo(const MethodFlow& flow, int32_t v) {
  for (int32_t i = flow.roles.usage[static_cast<size_t>(v)].last_write; i >= 0; --i) {
    for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.value == v && !w.is_out && w.access == Access::kWrite && !IsSelfCopy(flow, i)) return i;
    }
  }
  return -1;
}

}  // namespace

std::vector<LostOutput> LostOutputs(const MethodMeaning& meant) {
  const MethodFlow flow = meant.flow();
  std::vector<LostOutput> lost;
  std::set<int32_t> inputs_returned;
  std::set<int32_t> told;
  for (size_t k = 0; k < meant.method->outputs.size(); ++k) {
    const int32_t v = meant.method->outputs[k];
    const Role role = meant.roles.of[static_cast<size_t>(v)];
    if (!flow.NamesABuffer(v) && role != Role::kInput) continue;
    // A mutated input comes back once as an output of its own, before the user's.
    if (role == Role::kInput && inputs_returned.insert(v).second) continue;
    const Tensor* tensor = meant.method->TensorOf(v);
    if (!told.insert(v).second || (tensor != nullptr && tensor->nbytes == 0)) continue;
    if (const int32_t store = LastStoreTo(flow, v); store >= 0) lost.push_back({k, v, store});
  }
  return lost;
}

std::vector<Finding> CheckOutputs(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  for (const LostOutput& lost : LostOutputs(meant)) {
    const bool is_state = meant.roles.of[static_cast<size_t>(lost.value)] != Role::kInput;
    Finding finding = FindingAt(rule::kEntryValueLost, Severity::kError, *meant.method, lost.store,
                                {lost.value}, meant.flow().PlaceOf(lost.value));
    finding.explanation = fmt::format(
        "Output {} must be the {} {} as it was before a store.\n"
        "The program returns that storage itself, and {} has overwritten it.\n"
        "The caller gets the stored value.",
        lost.output, is_state ? "buffer" : "mutated input", ValueWords(*meant.method, lost.value),
        InstructionWords(*meant.method, lost.store));
    finding.fix = "Clone the old value in the model before the store.";
    finding.clone = Clone::kOther;
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> CheckMethod(const MethodMeaning& meant, const StateTable& states,
                                 size_t index) {
  std::vector<Finding> findings = CheckUnmade(meant);
  std::ranges::move(CheckFreed(meant), std::back_inserter(findings));
  std::ranges::move(CheckStaleSizes(meant), std::back_inserter(findings));
  std::ranges::move(CheckResults(meant), std::back_inserter(findings));
  std::ranges::move(CheckOutputs(meant), std::back_inserter(findings));
  std::ranges::move(CheckBoundOutputs(meant, states, index), std::back_inserter(findings));
  std::ranges::move(CheckSharedOutputs(meant), std::back_inserter(findings));
  std::ranges::move(CheckDisplacedOutputs(meant), std::back_inserter(findings));
  std::ranges::move(CheckDimOrders(meant.flow()), std::back_inserter(findings));
  std::ranges::move(CheckViewOrders(meant.flow()), std::back_inserter(findings));
  std::ranges::move(CheckStateMemory(meant), std::back_inserter(findings));
  std::ranges::move(CheckBoundInputs(meant), std::back_inserter(findings));
  std::ranges::move(CheckDevices(meant), std::back_inserter(findings));
  return findings;
}

}  // namespace pteproof::checks
