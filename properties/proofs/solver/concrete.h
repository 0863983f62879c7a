// Clauses at given values of their symbols, in 128-bit checked arithmetic, to check a solver's
// model. Shares nothing with the terms that a solver is given.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_CONCRETE_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_CONCRETE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "properties/proofs/terms/question.h"

namespace pteproof::proofs {

using Wide = __int128;

// The expression's value, by symbol id. Nothing where 128 bits do not hold it, or what it is made
// of, or where a symbol has no value.
[[nodiscard]] std::optional<Wide> ValueOf(const SizeExpr& expr, std::span<const Wide> values);

// Whether at least one comparison holds. Nothing where that depends on a value that 128 bits do
// not hold.
[[nodiscard]] std::optional<bool> Holds(const Clause& clause, std::span<const Wide> values);
[[nodiscard]] std::optional<bool> Holds(const Clause& clause, std::span<const int64_t> values);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_CONCRETE_H_
