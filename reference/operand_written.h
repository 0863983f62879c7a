// Which operand an operator that mutates writes.
#ifndef PTEPROOF_REFERENCE_OPERAND_WRITTEN_H_
#define PTEPROOF_REFERENCE_OPERAND_WRITTEN_H_

#include <cstddef>
#include <optional>

#include "reference/op_schema.h"

namespace pteproof {

// The operand that result number `result` of a call is stored in. Nothing: that result is a new
// tensor, or the call has none.
[[nodiscard]] std::optional<size_t> OperandWritten(const OpSchema& schema, size_t result);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPERAND_WRITTEN_H_
