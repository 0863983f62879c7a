// When an operator may make its result in the bytes of an operand that it reads.
#ifndef PTEPROOF_PLANNER_PASSES_IN_PLACE_RULES_H_
#define PTEPROOF_PLANNER_PASSES_IN_PLACE_RULES_H_

#include "planner/code/code.h"
#include "reference/op_schema.h"

namespace pteproof::planner {

// Whether `operand` may lie exactly under `result` in this step, as far as the step is concerned:
// it copies or renames the bytes; or it reads element i of the operand only to write element i of
// the result, which has the operand's type (C2); or it passes the operand through (PassedThrough).
// Whether the operand's old bytes are wanted by others is not asked.
[[nodiscard]] bool MayLieUnder(const Code& code, const Step& step, ValueId operand, ValueId result);

// The operator that stores the result of a functional call in its first operand and copies nothing
// else, where that call is one that ExecuTorch's kernel takes: index_put with one one-dimensional
// index, the others none, no accumulation, values of the very sizes that are written, and an
// operand that is not a view. Null: none.
[[nodiscard]] const OpSchema* InPlaceForm(const Code& code, const Step& step);

// The operand of an operator that is not in the table whose bytes the call is asked to update and
// return (Step::in_place). Nothing: it is asked for none, or names the operand twice.
[[nodiscard]] std::optional<ValueId> PassedThrough(const Step& step);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_IN_PLACE_RULES_H_
