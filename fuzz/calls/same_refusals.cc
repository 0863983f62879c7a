#include "fuzz/calls/same_refusals.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "fuzz/calls/twist_parts.h"
#include "fuzz/require.h"
#include "reference/op_schema.h"
#include "runtime/kernels/base/kernel.h"

namespace pteproof::fuzz {
namespace {

bool MakesNumbersOfBytes(const OpSchema& op) {
  const bool reads = !op.args.empty() && op.args[0].kind == ArgKind::kTensor;
  const bool of_sizes = op.name.starts_with("aten::sym_");
  return op.returns == ReturnSlot::kScalar && reads && !of_sizes;
}

// A slot that is not the argument becomes it, with its sizes, whatever the file has for the slot.
bool HasSlotOfItsOwn(const DraftStep& step) {
  for (size_t a = 0; a < step.op->args.size(); ++a) {
    if (step.op->PutsInSlot(a) && step.args[a] != step.args.back()) return true;
  }
  return false;
}

bool DependsOnBytes(const Draft& draft, const DraftStep& step) {
  if (step.kind == InstructionKind::kFree) return false;
  if (step.kind == InstructionKind::kMove) {
    const ValueKind kind = draft.values[static_cast<size_t>(step.target)].kind;
    return kind != ValueKind::kInt && kind != ValueKind::kBool && kind != ValueKind::kDouble;
  }
  if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) return true;
  if (HasSlotOfItsOwn(step)) return true;
  const Kernel* kernel = FindKernel(step.op->name);
  return kernel == nullptr || kernel->sizes_from_bytes || MakesNumbersOfBytes(*step.op);
}

bool IsOfNumbersOrSizes(std::string_view why) {
  constexpr std::array<std::string_view, 5> kReasons = {
      "is not an integer", "is not a bool", "is not a float", "not broadcast",
      "does not fit the sizes that the file states for it"};
  return std::ranges::any_of(kReasons, [&](std::string_view reason) {
    return why.find(reason) != std::string_view::npos;
  });
}

bool IsJump(const DraftStep& step) {
  return step.kind == InstructionKind::kJumpFalse;
}

// Whether the first call comes to that step once, and by all the steps before it.
bool IsReachedOnce(const Draft& draft, size_t at) {
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    if (!IsJump(draft.steps[i])) continue;
    if (i != at || draft.steps[i].other <= static_cast<int32_t>(at)) return false;
  }
  return true;
}

// Whether a tensor has memory of its own that no other call, move or input writes to.
bool KeepsItsBytes(const Draft& draft, int32_t v) {
  const DraftTensor& tensor = draft.values[static_cast<size_t>(v)].tensor;
  if (tensor.home == Home::kConstant) return true;
  if (tensor.home != Home::kBank || !tensor.is_input) return false;
  return std::ranges::none_of(draft.values, [&](const DraftValue& other) {
    return &other.tensor != &tensor && other.kind == ValueKind::kTensor && other.tensor.planned() &&
           other.tensor.bank == tensor.bank;
  });
}

// Whether a call has the bytes that the reference has: it is the first, and its operands are inputs
// in memory of their own.
bool HasTheSameBytes(const Draft& draft, size_t at) {
  if (at != 0 || !IsReachedOnce(draft, 0) || draft.steps[0].op == nullptr) return false;
  const std::vector<int32_t> operands = OperandTensors(draft, draft.steps[0]);
  return std::ranges::all_of(operands, [&](int32_t v) { return KeepsItsBytes(draft, v); });
}

bool HasMemory(const Draft& draft, int32_t v) {
  const DraftTensor& tensor = draft.values[static_cast<size_t>(v)].tensor;
  return tensor.home != Home::kCaller || tensor.is_input || tensor.is_output;
}

// Whether a call that found memory missing can only miss that of an operand.
bool MissesAnOperand(const Draft& draft, const DraftStep& step) {
  if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) return false;
  const bool plain = std::ranges::all_of(draft.steps, [](const DraftStep& other) {
    const bool calls = other.kind == InstructionKind::kKernelCall && other.op != nullptr;
    return calls && !other.op->is_view && !HasSlotOfItsOwn(other);
  });
  const std::vector<int32_t> written = WrittenTensors(draft, step);
  return plain && std::ranges::all_of(written, [&](int32_t v) { return HasMemory(draft, v); });
}

// Reasons that hold whatever memory a run has: of sizes, types and kinds.
bool IsOfAnyMemory(std::string_view why) {
  constexpr std::array<std::string_view, 14> kReasons = {
      "and they are static",
      "number of bytes than its base",
      "larger than its upper bound in the file",
      "larger than the upper bound that the plan has room for",
      "another number of dimensions",
      "another element type than its base",
      "another element type than its operand",
      "a size is out of range",
      "a size is negative",
      "two sizes are open",
      "the size for -1 is open",
      "an argument has another kind of value",
      "an item of a list of integers is not an integer",
      "the condition is not a bool"};
  return std::ranges::any_of(kReasons, [&](std::string_view reason) {
    return why.find(reason) != std::string_view::npos;
  });
}

// Whether a call makes sizes, or numbers that may become sizes, of the bytes that it finds.
bool MakesSizesOfBytes(const DraftStep& step) {
  if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) return false;
  const Kernel* kernel = FindKernel(step.op->name);
  return (kernel != nullptr && kernel->sizes_from_bytes) || MakesNumbersOfBytes(*step.op);
}

// Whether the reference has to refuse that, too.
bool IsOfAnyRun(const Draft& draft, const RunFault& planned) {
  const std::string_view why = planned.explanation;
  if (planned.instruction < 0) {
    const bool of_kinds = why.find("another kind than the input") != std::string_view::npos;
    return (why.starts_with("input ") && !of_kinds) || why.starts_with("the method takes");
  }
  const auto at = static_cast<size_t>(planned.instruction);
  if (at >= draft.steps.size() || !IsReachedOnce(draft, at)) return false;
  const DraftStep& step = draft.steps[at];
  if (planned.kind == RunFault::Kind::kUnknown) return step.op == nullptr || !step.op->is_view;
  if (planned.kind == RunFault::Kind::kUnplaced)
    return IsJump(step) || MissesAnOperand(draft, step);
  const auto steps = std::span(draft.steps).first(at + 1);
  return IsOfAnyMemory(planned.explanation) && std::ranges::none_of(steps, MakesSizesOfBytes);
}

// Whether a result occurs in the call twice: then mixing takes the sizes of the file for it.
bool HasResultTwice(const Draft& draft, const DraftStep& step) {
  std::vector<int32_t> all = WrittenTensors(draft, step);
  const std::vector<int32_t> written = all;
  const std::vector<int32_t> operands = OperandTensors(draft, step);
  all.insert(all.end(), operands.begin(), operands.end());
  return std::ranges::any_of(written, [&](int32_t v) { return std::ranges::count(all, v) > 1; });
}

// Whether numbers that decide about sizes, or about the way through the steps, are made of bytes,
// or another rule tells the sizes of the result.
bool HasSizesOfItsOwn(const Draft& draft, const DraftStep& step) {
  if (IsJump(step)) {
    return draft.values[static_cast<size_t>(step.target)].kind != ValueKind::kBool;
  }
  // A tensor that has two names has the sizes that were given to either.
  if (step.kind == InstructionKind::kMove) return DependsOnBytes(draft, step);
  if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) return false;
  if (HasSlotOfItsOwn(step)) return true;
  const Kernel* kernel = FindKernel(step.op->name);
  // What lies at its place keeps the sizes that it has; the reference writes it with those of the
  // file.
  for (size_t a = 0; a < step.op->args.size(); ++a) {
    if (step.op->IsPlaced(a)) return true;
  }
  if (kernel == nullptr) return false;
  return MakesSizesOfBytes(step) || HasResultTwice(draft, step);
}

// Whether a kernel tells the sizes of a value.
bool HasARule(const Draft& draft, int32_t v) {
  return std::ranges::any_of(draft.steps, [&](const DraftStep& step) {
    if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) return false;
    const Kernel* kernel = FindKernel(step.op->name);
    if (kernel == nullptr || kernel->resize == nullptr) return false;
    return std::ranges::count(WrittenTensors(draft, step), v) > 0;
  });
}

// A jump right behind a move of numbers, or of other bytes, into its condition.
bool AsksForBoolsOfAnotherType(const Draft& draft) {
  const auto jumps = std::ranges::count_if(draft.steps, IsJump);
  for (size_t i = 1; i < draft.steps.size() && jumps == 1; ++i) {
    const DraftStep& move = draft.steps[i - 1];
    const DraftStep& jump = draft.steps[i];
    if (!IsJump(jump) || move.kind != InstructionKind::kMove || move.other != jump.target) continue;
    const DraftValue& moved = draft.values[static_cast<size_t>(move.target)];
    return moved.kind == ValueKind::kTensor && moved.tensor.dtype != ScalarType::kBool;
  }
  return false;
}

// Of a planned run's fault that any run has.
void RequireRefusalOf(const RunFault& planned, const std::optional<ReplayError>& reference) {
  const bool later = !reference || reference->instruction > planned.instruction;
  if (later) Fail("what any run lacks is refused by the reference", planned.explanation);
  if (planned.kind != RunFault::Kind::kUnknown) return;
  if (reference->instruction < planned.instruction) return;
  const bool unwritten = reference->explanation.find("has written") != std::string::npos;
  if (reference->kind == ReplayError::Kind::kRefused && !unwritten) {
    Fail("a call that nobody knows is not refused for another reason", reference->explanation);
  }
}

// Whether the reference has refused the inputs, or a move of tensors for one of lists.
bool IsOfInputs(const Draft& draft, const ReplayError& reference) {
  if (reference.kind != ReplayError::Kind::kRefused) return false;
  const std::string_view why = reference.explanation;
  if (reference.instruction < 0) return why.starts_with("input ") || why.starts_with("the method");
  if (why != "a list of tensors is moved") return false;
  const int32_t moved = draft.steps[static_cast<size_t>(reference.instruction)].target;
  return draft.values[static_cast<size_t>(moved)].kind == ValueKind::kTensor;
}

// Whether the parts of a whole that needs no call lie in it, one behind the other.
bool LiesInItsParts(const Draft& draft, const DraftStep& step) {
  const auto tensor = [&](int32_t v) -> const DraftTensor& {
    return draft.values[static_cast<size_t>(v)].tensor;
  };
  const DraftTensor& whole = tensor(step.args[2]);
  uint64_t at = whole.offset;
  for (const int32_t item : draft.values[static_cast<size_t>(step.args[0])].items) {
    const DraftTensor& part = tensor(item);
    const bool next = part.planned() && part.bank == whole.bank && part.offset == at;
    if (!next || part.dtype != whole.dtype) return false;
    at += ByteCountOf(part);
  }
  return whole.planned() && at == whole.offset + ByteCountOf(whole);
}

// Whether the reference has gone past a call that puts parts together, and they do not lie so.
bool PassesPartsElsewhere(const Draft& draft, const std::optional<ReplayError>& reference) {
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    const DraftStep& step = draft.steps[i];
    if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) continue;
    if (step.op->name != "aten::_cat_nop.out" || !IsReachedOnce(draft, i)) continue;
    const bool passed = !reference || reference->instruction > static_cast<int32_t>(i);
    const size_t parts = draft.values[static_cast<size_t>(step.args[0])].items.size();
    if (passed && parts > 1 && !LiesInItsParts(draft, step)) return true;
  }
  return false;
}

// Whether a call writes, and the runtime has nothing that does it.
bool LacksAKernel(const DraftStep& step) {
  if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) return false;
  const bool writes = std::ranges::any_of(step.op->args, [](const ArgSchema& arg) {
    return arg.access != Access::kRead && arg.access != Access::kNone;
  });
  return writes && FindKernel(step.op->name) == nullptr;
}

}  // namespace

void RequireSameRefusal(const Draft& draft, const std::optional<ReplayError>& reference,
                        const std::optional<RunFault>& planned) {
  if (!planned && std::ranges::any_of(draft.steps, LacksAKernel)) {
    Fail("a call without a kernel is not run");
  }
  if (PassesPartsElsewhere(draft, reference)) {
    Fail("what a planner has made needless lies in its parts");
  }
  if (!planned && AsksForBoolsOfAnotherType(draft)) Fail("a condition is a bool");
  if (planned && IsOfAnyRun(draft, *planned)) RequireRefusalOf(*planned, reference);
  if (!reference) return;
  if (!planned && IsOfInputs(draft, *reference)) {
    Fail("an input that the reference refuses is not taken", reference->explanation);
  }
  // What a planner has made needless is left to be made where its plan is not known.
  const bool needless = FindAliasOperator(reference->op) != nullptr;
  if (reference->kind == ReplayError::Kind::kUnknown && !planned && !needless) {
    Fail("a program with a call that nobody knows is not loaded", reference->op);
  }
  if (reference->kind != ReplayError::Kind::kRefused) return;
  if (!IsOfNumbersOrSizes(reference->explanation)) return;
  if (planned && planned->instruction <= reference->instruction) return;
  if (planned && planned->kind == RunFault::Kind::kUnknown) return;  // it was not loaded
  const bool open = std::ranges::any_of(
      draft.steps, [&](const DraftStep& step) { return DependsOnBytes(draft, step); });
  const bool same = reference->instruction == 0 && HasTheSameBytes(draft, 0);
  if (!open || same) Fail("what the reference refuses is not run", reference->explanation);
}

void RequireSameSizes(const Draft& draft, std::span<const int32_t> outputs, bool fits,
                      const ReferenceEnd& reference, const PlannedEnd& planned) {
  if (reference.error || planned.fault || reference.sizes == planned.sizes) return;
  const bool open = std::ranges::any_of(
      draft.steps, [&](const DraftStep& step) { return HasSizesOfItsOwn(draft, step); });
  for (size_t n = 0; n < reference.sizes.size() && !open; ++n) {
    if (reference.sizes[n] == planned.sizes[n]) continue;
    const bool ruled = n < outputs.size() && HasARule(draft, outputs[n]);
    if (fits || !ruled) Fail("outputs have the sizes that they have in the reference");
  }
}

}  // namespace pteproof::fuzz
