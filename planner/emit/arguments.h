// Operands as values of the file, as an operator's signature wants them.
#ifndef PTEPROOF_PLANNER_EMIT_ARGUMENTS_H_
#define PTEPROOF_PLANNER_EMIT_ARGUMENTS_H_

#include <span>
#include <vector>

#include "planner/emit/file_values.h"
#include "planner/emit/method_writer.h"
#include "reference/op_schema.h"

namespace pteproof::planner {

[[nodiscard]] int32_t ArgumentOf(const Operand& operand, const ArgSchema& arg, FileValues& values,
                                 MethodWriter& writer);

// An argument of this kind, as an operator without a signature takes it.
[[nodiscard]] ArgSchema Taking(ArgKind kind);
// The kind that an operand of such an operator is of.
[[nodiscard]] ArgSchema UnknownArgument(const Operand& operand);

// All arguments of an instruction, in the order of the file: operands, `out` arguments, the return
// slot.
[[nodiscard]] std::vector<int32_t> CallArguments(const OpSchema& schema,
                                                 std::span<const Operand> operands,
                                                 std::span<const ValueId> results,
                                                 FileValues& values, MethodWriter& writer);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_EMIT_ARGUMENTS_H_
