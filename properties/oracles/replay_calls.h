// What an operator's schema and the operands tell of a call in the reference.
#ifndef PTEPROOF_PROPERTIES_ORACLES_REPLAY_CALLS_H_
#define PTEPROOF_PROPERTIES_ORACLES_REPLAY_CALLS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/oracles/replay_values.h"
#include "pteproof/result.h"
#include "reference/evaluate.h"
#include "reference/op_schema.h"

namespace pteproof {

// Nothing if there is no type rule. No runtime computes a call that a rule refuses.
[[nodiscard]] Result<std::optional<std::vector<Sizes>>, EvaluateError> SizesByRule(
    const OpSchema& schema, std::span<const Argument> operands);

// Why the file's tensors have forms that no call of the operator takes; empty: none.
[[nodiscard]] std::string FormFault(const Method& method, const OpSchema& schema,
                                    std::span<const int32_t> args);

// The same of the number that is an argument: ExecuTorch takes one kind only. A scalar is of any.
[[nodiscard]] std::string NumberFault(const ArgSchema& arg, const ScalarResult& number);

// The row that et_copy_index writes, which is of its second operand's size, at its third.
[[nodiscard]] std::optional<WrittenPart> PartWritten(const OpSchema& schema,
                                                     std::span<const Argument> operands);

// Why a tensor cannot be input n of the method; empty: it can.
[[nodiscard]] std::string Misfit(const Method& method, size_t n, const TensorValue& given);

// Whether the call writes to that value as an operand.
[[nodiscard]] bool IsUpdated(const OpSchema& schema, std::span<const int32_t> args, int32_t v);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_REPLAY_CALLS_H_
