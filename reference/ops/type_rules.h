// What many type rules have in common: equal types, broadcasting, PyTorch's type promotion,
// dimensions out of sizes.
#ifndef PTEPROOF_REFERENCE_OPS_TYPE_RULES_H_
#define PTEPROOF_REFERENCE_OPS_TYPE_RULES_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "reference/operands.h"

namespace pteproof {

using SizeList = std::vector<SizeExpr>;
using SizesOrFault = Result<SizeList, std::string>;

// One result of the first operand's type.
[[nodiscard]] Types SameAsFirst(const TypeCall& call);

// One result of the given type and sizes.
[[nodiscard]] Types OneResult(TensorType type);
[[nodiscard]] Types OneResult(ScalarType dtype, SizeList sizes);

// The sizes that both broadcast to: from the back, equal or 1. A size that depends on the dims fits
// only itself and 1.
[[nodiscard]] SizesOrFault Broadcast(SizeList a, std::span<const SizeExpr> b);

// The order of promotion: 0 bool, 1 integer, 2 float, 3 complex.
[[nodiscard]] int Category(ScalarType type);

// PyTorch's promotion of two element types (no operand is a lone number).
[[nodiscard]] ScalarType Promoted(ScalarType a, ScalarType b);

// Of a tensor with a number: the number's kind counts only where it is of a higher category (bool,
// integer, float) than the tensor; then float32 or int64.
[[nodiscard]] ScalarType PromotedWithNumber(ScalarType tensor, Number::Kind number);

// float32 for integers and bool, else the type itself.
[[nodiscard]] ScalarType FloatOf(ScalarType type);

// `sizes` without the dimensions marked (or with 1 there, if `keep`).
[[nodiscard]] SizeList Reduced(std::span<const SizeExpr> sizes, const std::vector<bool>& dims,
                               bool keep);

// Marks per dimension: those named by `dims` (negative ones count from the back), all for an empty
// list. Nothing: one is out of range or named twice.
[[nodiscard]] std::optional<std::vector<bool>> MarkedDimensions(std::span<const int64_t> dims,
                                                                int64_t rank);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_TYPE_RULES_H_
