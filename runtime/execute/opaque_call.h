// Which arguments of a call are operands and which are results, where nothing in the runtime can
// look into it: a kernel call of an operator that the table does not know, or a delegate call.
// Under `hash` semantics such a call mixes its operands into its results. The file does not say
// which are which; a run is given it (meaning/opaque_calls.h).
#ifndef PTEPROOF_RUNTIME_EXECUTE_OPAQUE_CALL_H_
#define PTEPROOF_RUNTIME_EXECUTE_OPAQUE_CALL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

struct OpaqueCall {
  std::vector<int32_t> operands;  // values of arguments, in their order; a list as a whole
  std::vector<int32_t> results;   // tensors, each once
  // Tensors of the return slot that become a result: the slot's tensor, and the result.
  std::vector<std::pair<int32_t, int32_t>> returned;
};

// Of one method, by instruction; empty where it has no such call.
using OpaqueCalls = std::map<int32_t, OpaqueCall>;

// Per method of a program. Runs of the program have it in common; null: it is not given.
using GivenOpaqueCalls = std::shared_ptr<const std::vector<OpaqueCalls>>;

[[nodiscard]] inline bool IsOpaque(const Method& method, const Instruction& instruction) {
  if (instruction.kind == InstructionKind::kDelegateCall) return true;
  return instruction.kind == InstructionKind::kKernelCall &&
         method.operators[static_cast<size_t>(instruction.target)].schema == nullptr;
}

// The results of such calls have the sizes of the file, so that operands do not fit together unless
// all sizes are at their upper bounds.
[[nodiscard]] inline bool HasOpaqueCall(const Method& method) {
  return std::ranges::any_of(method.instructions,
                             [&](const Instruction& each) { return IsOpaque(method, each); });
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_OPAQUE_CALL_H_
