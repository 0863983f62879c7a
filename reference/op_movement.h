// Operators that keep their meaning when all others mix bytes: what passes may trade for one
// another.
#ifndef PTEPROOF_REFERENCE_OP_MOVEMENT_H_
#define PTEPROOF_REFERENCE_OP_MOVEMENT_H_

#include "pteproof/scalar_type.h"
#include "reference/op_schema.h"

namespace pteproof {

// Whether an operator keeps its real meaning under `hash`: it moves elements unchanged, sets them
// to zero, or computes sizes and numbers. Passes may trade such operators for one another, and a
// planned program may set by zeros what a Module's state starts as.
[[nodiscard]] bool KeepsMeaning(const OpSchema& schema);

// The same of a call, by the types of its first operand and first result: a conversion to the type
// that its operand has moves elements unchanged.
[[nodiscard]] bool KeepsMeaning(const OpSchema& schema, ScalarType operand, ScalarType result);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_MOVEMENT_H_
