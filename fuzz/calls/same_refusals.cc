#include "fuzz/calls/same_refusals.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

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
  if (step.op->returns != ReturnSlot::kWritten) return false;
  const auto args = std::span(step.args).first(step.op->args.size());
  return std::ranges::count(args, step.args.back()) == 0;
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
  constexpr std::array<std::string_view, 4> kReasons = {
      "is not an integer", "is not a bool", "is not a float",
      "does not fit the sizes that the file states for it"};
  return std::ranges::any_of(kReasons, [&](std::string_view reason) {
    return why.find(reason) != std::string_view::npos;
  });
}

}  // namespace

void RequireSameRefusal(const Draft& draft, const std::optional<ReplayError>& reference,
                        const std::optional<RunFault>& planned) {
  if (!reference) return;
  if (reference->kind == ReplayError::Kind::kUnknown && !planned) {
    Fail("a program with a call that nobody knows is not loaded", reference->op);
  }
  if (reference->kind != ReplayError::Kind::kRefused) return;
  if (!IsOfNumbersOrSizes(reference->explanation)) return;
  if (planned && planned->instruction <= reference->instruction) return;
  const bool open = std::ranges::any_of(
      draft.steps, [&](const DraftStep& step) { return DependsOnBytes(draft, step); });
  if (!open) Fail("what the reference refuses is not run", reference->explanation);
}

}  // namespace pteproof::fuzz
