// Calls under `hash` semantics: results are mixed from the operands' bytes, so that any byte read
// wrong shows in what comes out (docs/explanation/running.md).
#ifndef PTEPROOF_RUNTIME_KERNELS_HASH_HASH_CALL_H_
#define PTEPROOF_RUNTIME_KERNELS_HASH_HASH_CALL_H_

#include <span>
#include <string_view>

#include "runtime/kernels/base/kernel.h"

namespace pteproof {

// A call of an operator that does not keep its meaning. `targets`: the tensors that it writes, in
// the order of its arguments, of the sizes that the results have.
[[nodiscard]] KernelStatus HashCall(const KernelCall& call, std::span<TensorRef* const> targets);

// Of one that nothing is known of but which values are operands and which tensors results.
void HashOpaqueCall(std::string_view name, std::span<RunValue* const> operands,
                    std::span<TensorRef* const> targets);

// Overwrites the results of an operator that reads no operand element by element: an operand that
// lies under a result is gone before it is read.
void SpoilResults(const KernelCall& call);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_HASH_HASH_CALL_H_
