// Whether a call's values are of the kinds that its operator takes.
#ifndef PTEPROOF_RUNTIME_EXECUTE_ARGUMENT_KINDS_H_
#define PTEPROOF_RUNTIME_EXECUTE_ARGUMENT_KINDS_H_

#include <span>
#include <string>

#include "pteproof/program.h"
#include "reference/op_schema.h"
#include "runtime/kernels/base/run_value.h"

namespace pteproof {

// Empty; or which argument is of the wrong kind, or that there are too few. `args`: value indices,
// as the instruction lists them.
[[nodiscard]] std::string ArgumentFault(const Method& method, const OpSchema& schema,
                                        std::span<const int32_t> args);

// The same of the value that an argument has when it is called: null, or why it cannot be.
[[nodiscard]] const char* ValueFault(const ArgSchema& arg, const RunValue& value);

// Whether a list has values of its own, numbers or tensors, as items.
[[nodiscard]] inline bool ListsValues(ValueKind kind) {
  return kind == ValueKind::kIntList || kind == ValueKind::kTensorList ||
         kind == ValueKind::kOptionalTensorList;
}

// Whether what one kind of value holds may be moved to a place of the other.
[[nodiscard]] bool MayHold(ValueKind place, ValueKind moved);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_ARGUMENT_KINDS_H_
