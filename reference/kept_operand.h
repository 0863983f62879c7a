// Operators that give the elements of an operand unchanged and in order: other sizes at most.
#ifndef PTEPROOF_REFERENCE_KEPT_OPERAND_H_
#define PTEPROOF_REFERENCE_KEPT_OPERAND_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace pteproof {

// Which operand's elements the one result of `op` has, where element types are equal and, for
// aten::copy, sizes too; nothing for any other operator.
[[nodiscard]] std::optional<size_t> KeptOperand(std::string_view op);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_KEPT_OPERAND_H_
