// Models, judged by arithmetic instead of by the solver that found them.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_MODEL_CHECK_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_MODEL_CHECK_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "properties/proofs/solver/decide.h"
#include "properties/proofs/solver/query.h"

namespace pteproof::proofs {

// The model with those values (one for each of query.mentioned), if it is one: all facts are met,
// and the goal does not hold. Symbols whose definition is assumed get its value.
[[nodiscard]] std::optional<std::vector<ModelValue>> CheckedModel(
    const Query& query, std::span<const std::optional<int64_t>> values);

// Whether one of a few guesses is a model. False says nothing.
[[nodiscard]] bool FailsAtAGuess(const Query& query);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_MODEL_CHECK_H_
