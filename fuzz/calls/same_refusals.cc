#include "fuzz/calls/same_refusals.h"

#include <algorithm>
#include <array>
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

bool DependsOnBytes(const Draft& draft, const DraftStep& step) {
  if (step.kind == InstructionKind::kFree) return false;
  if (step.kind == InstructionKind::kMove) {
    const ValueKind kind = draft.values[static_cast<size_t>(step.target)].kind;
    return kind != ValueKind::kInt && kind != ValueKind::kBool && kind != ValueKind::kDouble;
  }
  if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) return true;
  const Kernel* kernel = FindKernel(step.op->name);
  return kernel == nullptr || kernel->sizes_from_bytes || MakesNumbersOfBytes(*step.op);
}

// Which elements an operator asks for may be read from bytes, and what moves and the caller's memory
// are is the reference's own matter.
bool IsOfNumbersOrSizes(std::string_view why) {
  constexpr std::array<std::string_view, 9> kOthers = {"index",     "row",    "memory",
                                                       "is moved",  "bytes",  "condition",
                                                       "the input", "input ", "element"};
  return std::ranges::none_of(kOthers, [&](std::string_view other) {
    return why.find(other) != std::string_view::npos;
  });
}

}  // namespace

void RequireSameRefusal(const Draft& draft, const std::optional<ReplayError>& reference,
                        const std::optional<RunFault>& planned) {
  if (!reference || reference->kind != ReplayError::Kind::kRefused) return;
  if (!IsOfNumbersOrSizes(reference->explanation)) return;
  if (planned && planned->instruction <= reference->instruction) return;
  const bool open = std::ranges::any_of(
      draft.steps, [&](const DraftStep& step) { return DependsOnBytes(draft, step); });
  if (!open) Fail("what the reference refuses is not run", reference->explanation);
}

}  // namespace pteproof::fuzz
