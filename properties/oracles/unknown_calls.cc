#include "properties/oracles/unknown_calls.h"

#include <algorithm>

#include "reference/op_meaning.h"
#include "reference/op_schema.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/placed_outs.h"

namespace pteproof {
namespace {

bool HasKernel(const Operator& op) {
  const Kernel* kernel = FindKernel(op.name);
  return kernel != nullptr && kernel->run != nullptr;
}

bool HasMeaning(const Operator& op) {
  return op.schema->is_view || FindMeaning(*op.schema) != nullptr;
}

template <class Knows>
std::optional<UnknownCall> FirstUnknown(const Method& method, const Knows& knows) {
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& call = method.instructions[i];
    const auto at = static_cast<int32_t>(i);
    if (call.kind == InstructionKind::kDelegateCall) {
      return UnknownCall{at, method.delegates[static_cast<size_t>(call.target)].id, true};
    }
    if (call.kind != InstructionKind::kKernelCall) continue;
    const Operator& op = method.operators[static_cast<size_t>(call.target)];
    if (op.schema == nullptr || !(IsNoOperation(*op.schema) || knows(op))) {
      return UnknownCall{at, op.name, false};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<UnknownCall> UnknownInReference(const Method& method) {
  const bool jumps = std::ranges::find(method.instructions, InstructionKind::kJumpFalse,
                                       &Instruction::kind) != method.instructions.end();
  if (jumps) return std::nullopt;
  return FirstUnknown(method, HasMeaning);
}

std::optional<UnknownCall> UnknownInRuntime(const Method& method) {
  return FirstUnknown(method, HasKernel);
}

}  // namespace pteproof
