#include "properties/rules/missing_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

// Per state: whether the method uses it under one of its names.
std::vector<bool> UsedStates(const MethodMeaning& check) {
  std::vector<bool> used(check.roles.states.size());
  for (size_t v = 0; v < check.roles.usage.size(); ++v) {
    const int32_t state = check.roles.state_of[v];
    const Usage& usage = check.roles.usage[v];
    if (state >= 0 && (usage.touched() || usage.is_output)) used[static_cast<size_t>(state)] = true;
  }
  return used;
}

// Instructions [0, n) run in every call.
int32_t AlwaysRun(const Method& method) {
  const auto jump =
      std::ranges::find(method.instructions, InstructionKind::kJumpFalse, &Instruction::kind);
  return static_cast<int32_t>(jump - method.instructions.begin());
}

// Whether every call replaces all of the value before it uses any of it.
bool IsReplacedFirst(const MethodMeaning& check, int32_t v) {
  const Usage& usage = check.roles.usage[static_cast<size_t>(v)];
  const int32_t first = usage.first_write;
  if (usage.exposed() || first < 0 || first >= AlwaysRun(*check.method)) return false;
  return std::ranges::any_of(
      check.effects.WritesOf(static_cast<size_t>(first)),
      [&](const Write& w) { return w.value == v && w.access == Access::kWrite; });
}

// Values from whose bytes a name is taken that no instruction makes: it stays in those bytes.
std::set<int32_t> ElidedFrom(const MethodMeaning& check) {
  std::set<int32_t> bases;
  for (const Transfer& t : check.aliases.transfers) {
    if (t.phase != Phase::kBefore || check.roles.usage[static_cast<size_t>(t.to)].renamed) continue;
    const auto sources = check.aliases.SourcesOf(t);
    bases.insert(sources.begin(), sources.end());
  }
  return bases;
}

// Whether instructions of the call give the value all that it holds.
bool IsMadeInTheCall(const MethodMeaning& check, int32_t v) {
  const Usage& usage = check.roles.usage[static_cast<size_t>(v)];
  return check.roles.of[static_cast<size_t>(v)] == Role::kLocal &&
         (usage.written_as_out || usage.written_in_place || usage.renamed || usage.filled);
}

bool IsReadAtEntry(const StateTable& states, size_t index, int32_t state) {
  const int32_t key = states.key_of[index][static_cast<size_t>(state)];
  return states.keys[static_cast<size_t>(key)].read_somewhere;
}

// Whether the name becomes the tensor itself. An et_view takes its bytes, and stays a tensor of its
// own.
bool IsSameTensor(const MethodMeaning& check, const Rename& r) {
  const auto i = static_cast<size_t>(r.instruction);
  return r.after_write || check.method->instructions[i].kind == InstructionKind::kMove;
}

// Outputs that are names of several tensors, in turn.
std::set<int32_t> NamesOfSeveral(const MethodMeaning& check) {
  std::map<int32_t, int32_t> first;
  std::set<int32_t> several;
  for (const Rename& r : check.effects.renames) {
    if (!IsSameTensor(check, r)) continue;
    if (first.try_emplace(r.to, r.from).first->second != r.from) several.insert(r.to);
  }
  return several;
}

// The policies under which the tensor that the output is a name of loses what it holds, when the
// loader gives it the output's memory.
PolicySet PoliciesLosing(const MethodMeaning& check, const StateTable& states, size_t index,
                         const std::set<int32_t>& elided, int32_t from) {
  if (elided.contains(from)) return PolicySet::All();
  if (const int32_t state = check.flow().StateOf(from); state >= 0) {
    return IsReadAtEntry(states, index, state) ? PolicySet::All() : PolicySet::None();
  }
  if (check.roles.of[static_cast<size_t>(from)] == Role::kInput) {
    // The Python Runtime sets inputs before outputs.
    return IsReplacedFirst(check, from) ? PolicySet::None() : PolicySet::Of(Policy::kShareAll);
  }
  return IsMadeInTheCall(check, from) ? PolicySet::None() : PolicySet::All();
}

// Under which the caller brings the memory of unplanned outputs, another at each call perhaps.
constexpr PolicySet kBoundByTheCaller = {PolicySet::Of(Policy::kPrivate).bits |
                                         PolicySet::Of(Policy::kShare12).bits};

[[nodiscard]] Finding TellBound(const MethodMeaning& check, const Rename& r, size_t output,
                                PolicySet losing) {
  const bool loses = losing != PolicySet::None();
  Finding finding = FindingAt(rule::kOutputMisbound, loses ? Severity::kError : Severity::kWarning,
                              *check.method, r.instruction, {r.to, r.from}, Place{});
  finding.policies = losing;
  if (!loses) finding.policies = kBoundByTheCaller;
  finding.explanation = fmt::format(
      "Output {} ({}) is bound to memory of the caller, but {} gives its name to {}.\n", output,
      ValueWords(*check.method, r.to), InstructionWords(*check.method, r.instruction),
      ValueWords(*check.method, r.from));
  if (loses) {
    finding.explanation +=
        "The next call binds that memory to the tensor.\n"
        "What the tensor is to hold is lost, or goes to memory that a caller has freed.";
  } else {
    finding.explanation +=
        "The output's value is right, but it need not be in the memory that the caller has set.";
  }
  finding.fix = "Plan the outputs, or copy the result of the region instead of moving it.";
  return finding;
}

}  // namespace

std::vector<Finding> CheckBoundOutputs(const MethodMeaning& check, const StateTable& states,
                                       size_t index) {
  std::vector<Finding> findings;
  if (check.effects.renames.empty()) return findings;
  std::map<int32_t, size_t> position;  // of outputs
  for (size_t k = 0; k < check.method->outputs.size(); ++k)
    position.emplace(check.method->outputs[k], k);
  std::optional<std::set<int32_t>> elided;
  const std::set<int32_t> several = NamesOfSeveral(check);
  for (const Rename& r : check.effects.renames) {
    const auto to = static_cast<size_t>(r.to);
    const bool rebound = check.roles.of[to] == Role::kCaller && check.roles.usage[to].is_output;
    if (!rebound) continue;
    if (!elided) elided = ElidedFrom(check);
    PolicySet losing = PolicySet::None();
    if (IsSameTensor(check, r) && check.method->TensorOf(r.from)->nbytes > 0) {
      losing = PoliciesLosing(check, states, index, *elided, r.from);
      // The tensor of which it is not a name any more keeps memory that the caller may have freed.
      if (several.contains(r.to)) losing.AddAll(kBoundByTheCaller);
    }
    const bool planned = !check.roles.place[static_cast<size_t>(r.from)].empty();
    if (!planned && losing == PolicySet::None()) continue;
    findings.push_back(TellBound(check, r, position.at(r.to), losing));
  }
  return findings;
}

std::vector<Finding> CheckStateMemory(const MethodMeaning& check) {
  std::vector<Finding> findings;
  const std::vector<bool> used = UsedStates(check);
  for (size_t s = 0; s < check.roles.states.size(); ++s) {
    const StateSlot& slot = check.roles.states[s];
    if (slot.place.bank != 0 || !used[s]) continue;
    Finding finding =
        FindingAt(rule::kMemoryMissing, Severity::kNote, *check.method, -1, {slot.value}, {});
    finding.undecided = true;
    finding.explanation = fmt::format(
        "{} keeps its value from call to call and has no placement.\n"
        "ExecuTorch's own loaders give it no memory: a call follows a null pointer.\n"
        "The file does not say whether another loader supplies that memory.",
        ValueWords(*check.method, slot.value));
    finding.fix =
        "Plan the buffers (`alloc_mutable_buffers=True`), or accept the finding in a manifest "
        "(`suppress`) if your loader supplies the memory.";
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> CheckBoundInputs(const MethodMeaning& check) {
  std::vector<Finding> findings;
  const Method& method = *check.method;
  for (size_t k = 0; k < method.inputs.size(); ++k) {
    const int32_t v = method.inputs[k];
    const Tensor* tensor = method.TensorOf(v);
    if (tensor == nullptr || tensor->planned || tensor->nbytes == 0) continue;
    const auto output = std::ranges::find(method.outputs, v);
    const bool again = std::ranges::find(method.inputs, v) - method.inputs.begin() <
                       static_cast<std::ptrdiff_t>(k);
    if (again || output == method.outputs.end() || IsReplacedFirst(check, v)) continue;
    Finding finding = FindingAt(rule::kOutputMisbound, Severity::kError, method, -1, {v}, Place{});
    finding.policies = PolicySet::Of(Policy::kShareAll);
    finding.explanation = fmt::format(
        "Input {} ({}) is output {} as well, and it is not planned.\n"
        "The Python Runtime sets the memory of outputs after that of inputs.\n"
        "The method reads zeros, or what an earlier call left, instead of the input.",
        k, ValueWords(method, v), output - method.outputs.begin());
    finding.fix =
        "Load with Module (`_load_for_executorch` from 1.0 on), plan inputs and outputs, or return "
        "a clone of the input.";
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace pteproof::checks
