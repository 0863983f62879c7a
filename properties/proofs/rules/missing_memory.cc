#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/rule_names.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// ExecuTorch's own loaders give memory to planned values only. Another loader may do more.
void ObligeStateMemory(Obliger& obliger, const MethodFacts& facts) {
  std::set<int32_t> used;  // buffers
  for (int32_t v = 0; v < facts.value_count(); ++v) {
    const Touched& touched = facts.parts.TouchedOf(v);
    if (touched.any() || touched.output) used.insert(facts.parts.BufferOf(v));
  }
  for (size_t b = 0; b < facts.parts.buffers.size(); ++b) {
    const int32_t v = facts.parts.buffers[b].value;
    if (!used.contains(static_cast<int32_t>(b))) continue;
    Obligation o = AboutMethod(*facts.method, rule::kMemoryMissing, -1, {v});
    o.severity = Severity::kNote;
    o.goal = None(facts.method->TensorOf(v)->planned ? 0 : 1);
    o.refuted = fmt::format(
        "{} keeps its value from call to call and has no placement: ExecuTorch's own loaders give "
        "it no memory.",
        ValueText(*facts.method, v));
    obliger.Add(std::move(o));
  }
}

// Whether the first use of a value is a store of all of it, before any branch.
bool IsMadeAnew(const MethodFacts& facts, int32_t v) {
  const Touched& touched = facts.parts.TouchedOf(v);
  if (touched.WantedUnmade()) return false;
  for (int32_t i = 0; i < touched.first_made; ++i) {
    const Instruction& at = facts.method->instructions[static_cast<size_t>(i)];
    if (at.kind == InstructionKind::kJumpFalse) return false;
  }
  const auto writes = facts.listing.WritesAt(touched.first_made);
  return std::ranges::any_of(writes,
                             [&](const WriteEvent& w) { return w.value == v && w.replaces(); });
}

// The Python Runtime binds outputs to memory of its own after it has bound the inputs.
void ObligeBoundInputs(Obliger& obliger, const MethodFacts& facts) {
  const Method& method = *facts.method;
  const std::set<int32_t> outputs(method.outputs.begin(), method.outputs.end());
  const std::set<int32_t> inputs(method.inputs.begin(), method.inputs.end());
  for (const int32_t v : inputs) {
    const Tensor* tensor = method.TensorOf(v);
    if (tensor == nullptr || tensor->planned || tensor->nbytes == 0) continue;
    const bool lost = outputs.contains(v) && !IsMadeAnew(facts, v);
    Obligation o = AboutMethod(method, rule::kOutputMisbound, -1, {v});
    o.policies = PolicySet::Of(Policy::kShareAll);
    o.goal = None(lost ? 1 : 0);
    o.refuted = fmt::format(
        "{} is an input and an output and is not planned: the Python Runtime replaces the input's "
        "memory by the output's before the call.",
        ValueText(method, v));
    obliger.Add(std::move(o));
  }
}

// Values of which an elided name is taken: nothing moves the name to other bytes.
std::set<int32_t> BasesOfElided(const MethodFacts& facts) {
  std::set<int32_t> bases;
  for (const Take& take : facts.names.takes) {
    if (take.at.step != Step::kBefore || facts.parts.TouchedOf(take.to).named) continue;
    bases.insert(take.from.begin(), take.from.end());
  }
  return bases;
}

constexpr PolicySet kCallers = {PolicySet::Of(Policy::kPrivate).bits |
                                PolicySet::Of(Policy::kShare12).bits};

// Once a name in memory of the caller has become another tensor, the next call binds that tensor to
// that memory. It must not hold what a call has not made, and no elided name may look for its
// bytes.
void ObligeBinding(Obliger& obliger, int32_t method, const MethodFacts& facts) {
  const std::set<int32_t> bases = BasesOfElided(facts);
  const ProgramFacts& all = obliger.facts();
  const auto becomes_it = [&](const Take& take) {  // an et_view takes the bytes alone
    const auto i = static_cast<size_t>(take.at.instruction);
    return take.at.step == Step::kReturn ||
           facts.method->instructions[i].kind == InstructionKind::kMove;
  };
  std::map<int32_t, std::set<int32_t>> tensors;  // by their names
  for (const Take& take : facts.listing.takes) {
    if (becomes_it(take)) tensors[take.to].insert(take.from.front());
  }
  for (const Take& take : facts.listing.takes) {
    if (!becomes_it(take)) continue;
    const bool bound =
        facts.parts.Of(take.to) == Part::kCaller && facts.parts.TouchedOf(take.to).output;
    const int32_t tensor = take.from.front();
    if (!bound || facts.method->TensorOf(tensor)->nbytes == 0) continue;
    const Touched& touched = facts.parts.TouchedOf(tensor);
    const int32_t b = facts.parts.BufferOf(facts.names.RootOf(tensor));
    const bool input = facts.parts.Of(tensor) == Part::kInput;
    const bool made = touched.as_result || touched.stored_to || touched.named || touched.filled;
    bool kept = bases.contains(tensor);
    if (b >= 0) {
      const auto shared = all.shared_of[static_cast<size_t>(method)][static_cast<size_t>(b)];
      kept = kept || all.buffers[static_cast<size_t>(shared)].read;
    } else if (!input) {
      kept = kept || facts.parts.Of(tensor) != Part::kLocal || !made;
    }
    Obligation o =
        AboutMethod(*facts.method, rule::kOutputMisbound, take.at.instruction, {take.to, tensor});
    // An input is set before outputs under share-all. Elsewhere the memory is the caller's, and may
    // be gone if a call does not bind the tensor again.
    const bool overwritten = input && b < 0 && !IsMadeAnew(facts, tensor);
    const bool dangles = tensors[take.to].size() > 1;
    o.policies = PolicySet::None();
    if (kept || overwritten) o.policies.Add(Policy::kShareAll);
    if (kept || dangles) o.policies.AddAll(kCallers);
    const bool holds = o.policies == PolicySet::None();
    if (holds) o.policies = PolicySet::All();
    o.goal = None(holds ? 0 : 1);
    o.refuted = fmt::format(
        "Output value v{} lies in memory of the caller and becomes {}: the next call binds that "
        "tensor to the caller's memory.",
        take.to, ValueText(*facts.method, tensor));
    obliger.Add(std::move(o));
  }
}

}  // namespace

void ObligeMemory(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  ObligeBinding(obliger, method, facts);
  ObligeStateMemory(obliger, facts);
  ObligeBoundInputs(obliger, facts);
}

}  // namespace pteproof::proofs
