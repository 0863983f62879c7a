#include "properties/checks/rules/missing_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/rule_names.h"
#include "properties/checks/rules/wording.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

// Per state: whether the method uses it under one of its names.
std::vector<bool> UsedStates(const MethodCheck& check) {
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
bool IsReplacedFirst(const MethodCheck& check, int32_t v) {
  const Usage& usage = check.roles.usage[static_cast<size_t>(v)];
  const int32_t first = usage.first_write;
  if (usage.exposed() || first < 0 || first >= AlwaysRun(*check.method)) return false;
  return std::ranges::any_of(
      check.effects.WritesOf(static_cast<size_t>(first)),
      [&](const Write& w) { return w.value == v && w.access == Access::kWrite; });
}

}  // namespace

std::vector<Finding> CheckStateMemory(const MethodCheck& check) {
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

std::vector<Finding> CheckBoundInputs(const MethodCheck& check) {
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
