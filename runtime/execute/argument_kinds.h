// Whether a call's values are of the kinds that its operator takes.
#ifndef PTEPROOF_RUNTIME_EXECUTE_ARGUMENT_KINDS_H_
#define PTEPROOF_RUNTIME_EXECUTE_ARGUMENT_KINDS_H_

#include <span>
#include <string>

#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof {

// Empty; or which argument is of the wrong kind, or that there are too few. `args`: value indices,
// as the instruction lists them.
[[nodiscard]] std::string ArgumentFault(const Method& method, const OpSchema& schema,
                                        std::span<const int32_t> args);

// Whether what one kind of value holds may be moved to a place of the other.
[[nodiscard]] bool MayHold(ValueKind place, ValueKind moved);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_ARGUMENT_KINDS_H_
