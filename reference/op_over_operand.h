// The operators whose kernels bear a result over an operand of the same sizes. Recorded from the
// kernels of ExecuTorch's release 1.5.1; those of other vendors may differ.
#ifndef PTEPROOF_REFERENCE_OP_OVER_OPERAND_H_
#define PTEPROOF_REFERENCE_OP_OVER_OPERAND_H_

#include <span>
#include <string_view>

namespace pteproof {

// Of that full name ("aten::add.out"): each operand that is read element by element may lie there.
// O(log n).
[[nodiscard]] bool BearsResultOverOperand(std::string_view full_name);

// All of them, sorted by name.
[[nodiscard]] std::span<const std::string_view> OperatorsOverOperands();

// The release that they were recorded from.
inline constexpr std::string_view kOverOperandRelease = "1.5.1";

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_OVER_OPERAND_H_
