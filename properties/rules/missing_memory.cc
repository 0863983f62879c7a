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
std::vector<bool> UsedStates(const MethodMeaning& meant) {
  std::vector<bool> used(meant.roles.states.size());
  for (size_t v = 0; v < meant.roles.usage.size(); ++v) {
    const int32_t state = meant.roles.state_of[v];
    const Usage& usage = meant.roles.usage[v];
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
bool IsReplacedFirst(const MethodMeaning& meant, int32_t v) {
  const Usage& usage = meant.roles.usage[static_cast<size_t>(v)];
  const int32_t first = usage.first_write;
  if (usage.exposed() || first < 0 || first >= AlwaysRun(*meant.method)) return false;
  return std::ranges::any_of(
      meant.effects.WritesOf(static_cast<size_t>(first)),
      [&](const Write& w) { return w.value == v && w.access == Access::kWrite; });
}

// Values from whose bytes a name is taken that no instruction makes: it stays in those bytes.
std::set<int32_t> ElidedFrom(const MethodMeaning& meant) {
  std::set<int32_t> bases;
  for (const Transfer& t : meant.aliases.transfers) {
    if (t.phase != Phase::kBefore || meant.roles.usage[static_cast<size_t>(t.to)].renamed) continue;
    const auto sources = meant.aliases.SourcesOf(t);
    bases.insert(sources.begin(), sources.end());
  }
  return bases;
}

// Whether instructions of the call give the value all that it holds.
bool IsMadeInTheCall(const MethodMeaning& meant, int32_t v) {
  const Usage& usage = meant.roles.usage[static_cast<size_t>(v)];
  const Role role = meant.roles.of[static_cast<size_t>(v)];
  if (role == Role::kCaller) return usage.writes_own_bytes();
  return role == Role::kLocal && (usage.writes_own_bytes() || usage.renamed || usage.filled);
}

bool IsReadAtEntry(const StateTable& states, size_t index, int32_t state) {
  const int32_t key = states.key_of[index][static_cast<size_t>(state)];
  return states.keys[static_cast<size_t>(key)].read_somewhere;
}

// Outputs that are names of several tensors, in turn.
std::set<int32_t> NamesOfSeveral(const MethodMeaning& meant) {
  std::map<int32_t, int32_t> first;
  std::set<int32_t> several;
  for (const Rename& r : meant.effects.renames) {
    if (!IsSameTensor(meant, r)) continue;
    if (first.try_emplace(r.to, r.from).first->second != r.from) several.insert(r.to);
  }
  return several;
}

// The policies under which the tensor that the output is a name of loses what it holds, when the
// loader gives it the output's memory.
PolicySet PoliciesLosing(const MethodMeaning& meant, const StateTable& states, size_t index,
                         const std::set<int32_t>& elided, int32_t from) {
  if (elided.contains(from)) return PolicySet::All();
  if (const int32_t state = meant.flow().StateOf(from); state >= 0) {
    return IsReadAtEntry(states, index, state) ? PolicySet::All() : PolicySet::None();
  }
  if (meant.roles.of[static_cast<size_t>(from)] == Role::kInput) {
    // The Python Runtime sets inputs before outputs.
    return IsReplacedFirst(meant, from) ? PolicySet::None() : PolicySet::Of(Policy::kShareAll);
  }
  return IsMadeInTheCall(meant, from) ? PolicySet::None() : PolicySet::All();
}

// Under which the caller brings the memory of unplanned outputs, another at each call perhaps.
constexpr PolicySet kBoundByTheCaller = {PolicySet::Of(Policy::kPrivate).bits |
                                         PolicySet::Of(Policy::kShare12).bits};

[[nodiscard]] Finding TellBound(const MethodMeaning& meant, const Rename& r, size_t output,
                                PolicySet losing) {
  const bool loses = losing != PolicySet::None();
  Finding finding = FindingAt(rule::kOutputMisbound, loses ? Severity::kError : Severity::kWarning,
                              *meant.method, r.instruction, {r.to, r.from}, Place{});
  finding.policies = losing;
  if (!loses) finding.policies = kBoundByTheCaller;
  finding.explanation = fmt::format(
      "Output {} ({}) is bound to memory of the caller, but {} gives its name to {}.\n", output,
      ValueWords(*meant.method, r.to), InstructionWords(*meant.method, r.instruction),
      ValueWords(*meant.method, r.from));
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

bool IsSameTensor(const MethodMeaning& meant, const Rename& r) {
  const auto i = static_cast<size_t>(r.instruction);
  return r.after_write || meant.method->instructions[i].kind == InstructionKind::kMove;
}

std::vector<Finding> CheckBoundOutputs(const MethodMeaning& meant, const StateTable& states,
                                       size_t index) {
  std::vector<Finding> findings;
  if (meant.effects.renames.empty()) return findings;
  std::map<int32_t, size_t> position;  // of outputs
  for (size_t k = 0; k < meant.method->outputs.size(); ++k)
    position.emplace(meant.method->outputs[k], k);
  std::optional<std::set<int32_t>> elided;
  const std::set<int32_t> several = NamesOfSeveral(meant);
  for (const Rename& r : meant.effects.renames) {
    const auto to = static_cast<size_t>(r.to);
    const bool rebound = meant.roles.of[to] == Role::kCaller && meant.roles.usage[to].is_output;
    if (!rebound) continue;
    if (!elided) elided = ElidedFrom(meant);
    PolicySet losing = PolicySet::None();
    if (IsSameTensor(meant, r) && meant.method->TensorOf(r.from)->nbytes > 0) {
      losing = PoliciesLosing(meant, states, index, *elided, r.from);
      // The tensor of which it is not a name any more keeps memory that the caller may have freed.
      if (several.contains(r.to)) losing.AddAll(kBoundByTheCaller);
    }
    const bool planned = !meant.roles.place[static_cast<size_t>(r.from)].empty();
    if (!planned && losing == PolicySet::None()) continue;
    findings.push_back(TellBound(meant, r, position.at(r.to), losing));
  }
  return findings;
}

std::vector<Finding> CheckStateMemory(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  const std::vector<bool> used = UsedStates(meant);
  for (size_t s = 0; s < meant.roles.states.size(); ++s) {
    const StateSlot& slot = meant.roles.states[s];
    if (slot.place.bank != 0 || !used[s]) continue;
    Finding finding =
        FindingAt(rule::kMemoryMissing, Severity::kNote, *meant.method, -1, {slot.value}, {});
    finding.undecided = true;
    finding.explanation = fmt::format(
        "{} keeps its value from call to call and has no placement.\n"
        "ExecuTorch's own loaders give it no memory: a call follows a null pointer.\n"
        "The file does not say whether another loader supplies that memory.",
        ValueWords(*meant.method, slot.value));
    finding.fix =
        "Plan the buffers (`alloc_mutable_buffers=True`), or accept the finding in a manifest "
        "(`suppress`) if your loader supplies the memory.";
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<Finding> CheckBoundInputs(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  const Method& method = *meant.method;
  for (size_t k = 0; k < method.inputs.size(); ++k) {
    const int32_t v = method.inputs[k];
    const Tensor* tensor = method.TensorOf(v);
    if (tensor == nullptr || tensor->planned || tensor->nbytes == 0) continue;
    const auto output = std::ranges::find(method.outputs, v);
    const bool again = std::ranges::find(method.inputs, v) - method.inputs.begin() <
                       static_cast<std::ptrdiff_t>(k);
    if (again || output == method.outputs.end() || IsReplacedFirst(meant, v)) continue;
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
