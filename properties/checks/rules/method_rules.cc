#include "properties/checks/rules/method_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/rule_names.h"
#include "properties/checks/flow/same_elements.h"
#include "properties/checks/rules/devices.h"
#include "properties/checks/rules/dim_orders.h"
#include "properties/checks/rules/displaced_outputs.h"
#include "properties/checks/rules/in_place.h"
#include "properties/checks/rules/missing_memory.h"
#include "properties/checks/rules/overlap.h"
#include "properties/checks/rules/shared_outputs.h"
#include "properties/checks/rules/view_orders.h"
#include "properties/checks/rules/wording.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

// Places where some planned value ends: an offset there is a packing planner's, however odd.
std::set<std::pair<uint32_t, uint64_t>> Ends(const MethodCheck& check) {
  std::set<std::pair<uint32_t, uint64_t>> ends;
  for (const Place& place : check.roles.place) {
    if (!place.empty()) ends.insert({place.bank, place.hi});
  }
  return ends;
}

[[gnu::cold]] Finding TellOutOfBank(const MethodCheck& check, int32_t v, const Place& place,
                                    uint64_t size) {
  Finding finding = FindingAt(rule::kPlanBounds, Severity::kError, *check.method, -1, {v}, place);
  finding.explanation = fmt::format(
      "{} reaches past the end of its bank.\nBank {} of '{}' has {} bytes.\n"
      "Loaders refuse the method.",
      ValueWords(*check.method, v), place.bank, check.method->name, size);
  finding.fix = "Plan the method again, or give the bank that size.";
  return finding;
}

[[gnu::cold]] Finding TellMisaligned(const MethodCheck& check, int32_t v, const Place& place,
                                     bool packed) {
  const uint32_t element = ElementSize(check.method->TensorOf(v)->dtype);
  Finding finding = FindingAt(rule::kPlanAlignment, packed ? Severity::kWarning : Severity::kError,
                              *check.method, -1, {v}, place);
  finding.explanation = fmt::format(
      "{} starts at an offset that is not a multiple of its element size, {} bytes.\n{}",
      ValueWords(*check.method, v), element,
      packed ? "Another value ends at that offset: the plan packs values without alignment.\n"
               "Such accesses are slow on many processors and fault on some."
             : "No value ends at that offset: no packing of values leads to it.\n"
               "Such accesses may fault.");
  finding.fix = packed ? "Plan with a larger alignment." : "Plan the method again.";
  return finding;
}

// Whether the result of a reading instruction is ever used. A store to state that no method reads,
// this one included, is harmless whatever it stores.
bool IsObserved(const MethodCheck& check, const StateTable& states, size_t index, int32_t reader) {
  const MethodFlow flow = check.flow();
  if (reader < 0 || reader >= flow.instruction_count()) return true;
  const auto writes = flow.effects.WritesOf(static_cast<size_t>(reader));
  return writes.empty() || std::ranges::any_of(writes, [&](const Write& w) {
           const int32_t state = flow.StoredState(w);
           if (state < 0 || check.state_read_inside[static_cast<size_t>(state)]) return true;
           return states.later[index][static_cast<size_t>(state)].by_any;
         });
}

// The policies under which the loss of a state's value at the method's end matters: all when a
// later call of the method itself reads it, else those that share its bank with a reader.
PolicySet PoliciesReading(const MethodCheck& check, const StateTable& states, size_t index,
                          int32_t state) {
  const LaterReads& later = states.later[index][static_cast<size_t>(state)];
  if (later.by_itself) return PolicySet::All();
  const uint32_t bank = check.roles.states[static_cast<size_t>(state)].place.bank;
  return later.by_any ? PoliciesSharing(bank) : PolicySet::None();
}

[[gnu::cold]] void TellIncomplete(const MethodCheck& check, std::vector<Finding>& findings) {
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, *check.method, -1, {}, {});
  finding.undecided = true;
  finding.explanation =
      "The control flow, or the number of names for the same bytes, is beyond the limit on work.\n"
      "Lifetimes of this method were not followed to the end, so its plan is undecided.\n"
      "Errors of this method may be missing in the report.";
  finding.fix = "Split the method, or do not trust it: no exporter writes such a method.";
  findings.push_back(std::move(finding));
}

// Victim and instruction of the observed clobbers: the ones that remain when instructions without
// an observer read nothing.
std::set<std::pair<int32_t, int32_t>> SeenClobbers(const MethodCheck& check,
                                                   const StateTable& states, size_t index) {
  Effects seen = check.effects;
  seen.reads.clear();
  for (size_t i = 0; i < check.method->instructions.size(); ++i) {
    const auto reads = check.effects.ReadsOf(i);
    seen.first[i].read = static_cast<uint32_t>(seen.reads.size());
    if (IsObserved(check, states, index, static_cast<int32_t>(i))) {
      seen.reads.insert(seen.reads.end(), reads.begin(), reads.end());
    }
  }
  seen.first.back().read = static_cast<uint32_t>(seen.reads.size());
  const MethodFlow flow = {*check.method, seen, check.graph, check.roles, check.aliases};
  std::set<std::pair<int32_t, int32_t>> clobbers;
  for (const Clobber& c : WalkBackwards(flow, PlanAlignment(*check.method)).clobbers) {
    clobbers.insert({c.victim, c.instruction});
  }
  return clobbers;
}

void TellWalk(const MethodCheck& check, const StateTable& states, size_t index,
              std::vector<Finding>& findings) {
  std::set<std::pair<int32_t, int32_t>> told;
  std::optional<std::set<std::pair<int32_t, int32_t>>> seen;
  for (const Clobber& clobber : check.walk.clobbers) {
    if (!told.insert({clobber.victim, clobber.instruction}).second) continue;
    const int32_t state = check.flow().EndOfState(clobber.victim);
    bool observed = state >= 0 || IsObserved(check, states, index, clobber.reader);
    if (!observed) {
      // The next reader is not seen; another one may be.
      if (!seen.has_value()) seen = SeenClobbers(check, states, index);
      observed = seen->contains({clobber.victim, clobber.instruction});
    }
    Finding finding = TellClobber(check, clobber, observed);
    if (state >= 0) finding.policies = PoliciesReading(check, states, index, state);
    if (finding.policies != PolicySet::None()) findings.push_back(std::move(finding));
  }
  for (const LiveName& name : check.walk.unmade) findings.push_back(TellUnmade(check, name));
  if (!check.walk.complete) TellIncomplete(check, findings);
}

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

std::vector<Finding> CheckPlacements(const MethodCheck& check) {
  std::vector<Finding> findings;
  std::set<std::pair<uint32_t, uint64_t>> ends;
  for (size_t v = 0; v < check.roles.place.size(); ++v) {
    const Place& place = check.roles.place[v];
    if (place.bank == 0) continue;
    const auto value = static_cast<int32_t>(v);
    const uint64_t size = check.method->bank_sizes[place.bank];
    if (place.hi > size) findings.push_back(TellOutOfBank(check, value, place, size));
    if (place.lo % ElementSize(check.method->TensorOf(value)->dtype) == 0) continue;
    if (ends.empty()) ends = Ends(check);
    findings.push_back(TellMisaligned(check, value, place, ends.contains({place.bank, place.lo})));
  }
  return findings;
}

std::vector<LostOutput> LostOutputs(const MethodCheck& check) {
  const MethodFlow flow = check.flow();
  std::vector<LostOutput> lost;
  std::set<int32_t> inputs_returned;
  std::set<int32_t> told;
  for (size_t k = 0; k < check.method->outputs.size(); ++k) {
    const int32_t v = check.method->outputs[k];
    const Role role = check.roles.of[static_cast<size_t>(v)];
    // A second value of a buffer that has its name is the buffer too.
    const bool is_buffer =
        role == Role::kState || (flow.StateOf(v) >= 0 && !check.method->NameOf(v).empty());
    if (!is_buffer && role != Role::kInput) continue;
    // A mutated input comes back once as an output of its own, before the user's.
    if (role == Role::kInput && inputs_returned.insert(v).second) continue;
    const Tensor* tensor = check.method->TensorOf(v);
    if (!told.insert(v).second || (tensor != nullptr && tensor->nbytes == 0)) continue;
    if (const int32_t store = LastStoreTo(flow, v); store >= 0) lost.push_back({k, v, store});
  }
  return lost;
}

std::vector<Finding> CheckOutputs(const MethodCheck& check) {
  std::vector<Finding> findings;
  for (const LostOutput& lost : LostOutputs(check)) {
    const bool is_state = check.roles.of[static_cast<size_t>(lost.value)] != Role::kInput;
    Finding finding = FindingAt(rule::kEntryValueLost, Severity::kError, *check.method, lost.store,
                                {lost.value}, check.flow().PlaceOf(lost.value));
    finding.explanation = fmt::format(
        "Output {} must be the {} {} as it was before a store.\n"
        "The program returns that storage itself, and {} has overwritten it.\n"
        "The caller gets the stored value.",
        lost.output, is_state ? "buffer" : "mutated input", ValueWords(*check.method, lost.value),
        InstructionWords(*check.method, lost.store));
    finding.fix = "Clone the old value in the model before the store.";
    finding.clone = Clone::kOther;
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> CheckMethod(const MethodCheck& check, const StateTable& states, size_t index) {
  std::vector<Finding> findings = CheckPlacements(check);
  TellWalk(check, states, index, findings);
  std::ranges::move(CheckOperands(check.flow(), check.walk.moved), std::back_inserter(findings));
  std::ranges::move(CheckOutputs(check), std::back_inserter(findings));
  std::ranges::move(CheckBoundOutputs(check, states, index), std::back_inserter(findings));
  std::ranges::move(CheckSharedOutputs(check), std::back_inserter(findings));
  std::ranges::move(CheckDisplacedOutputs(check), std::back_inserter(findings));
  std::ranges::move(CheckDimOrders(check.flow()), std::back_inserter(findings));
  std::ranges::move(CheckViewOrders(check.flow()), std::back_inserter(findings));
  std::ranges::move(CheckStateMemory(check), std::back_inserter(findings));
  std::ranges::move(CheckBoundInputs(check), std::back_inserter(findings));
  std::ranges::move(CheckDevices(check), std::back_inserter(findings));
  return findings;
}

}  // namespace pteproof::checks
