// Operators that only move bytes: the results' contents, byte by byte, out of the operands'.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_MOVEMENT_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_MOVEMENT_H_

#include <optional>
#include <span>
#include <vector>

#include "properties/compare/terms/forms.h"
#include "reference/op_schema.h"

namespace pteproof::compare {

// The contents of the results, in their memory order. Nothing: the operator computes, changes the
// element type, or the call has numbers that are not known; then it is a term like any other. The
// sizes are those of the type rule. O(runs of the results).
[[nodiscard]] std::optional<std::vector<ContentId>> Moved(TermTable& table, const OpSchema& schema,
                                                          std::span<const SymbolicArgument> args,
                                                          std::span<const TensorShape> results);

// The same elements in another memory order.
[[nodiscard]] ContentId Reordered(TermTable& table, const SymbolicTensor& tensor,
                                  const TensorShape& as);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_MOVEMENT_H_
