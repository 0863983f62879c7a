// Words for what proofs state: goals, places, loaders, models.
#ifndef PTEPROOF_CLI_RENDER_PROOF_WORDS_H_
#define PTEPROOF_CLI_RENDER_PROOF_WORDS_H_

#include <span>
#include <string>
#include <vector>

#include "properties/proofs/solver/decide.h"
#include "properties/proofs/terms/obligation.h"
#include "pteproof/finding.h"

namespace pteproof {

// By id, for SizeExpr::ToText.
[[nodiscard]] std::vector<std::string> NamesOf(const proofs::Symbols& symbols);

// "0 + 64 <= 64 or 128 <= 0"; "nothing": a goal that never holds.
[[nodiscard]] std::string GoalWords(const proofs::Clause& goal, std::span<const std::string> names);

// "  [share-all]", empty for all loaders.
[[nodiscard]] std::string LoaderWords(PolicySet policies);

// "method decode, instruction 3, v7, v2".
[[nodiscard]] std::string PlaceWords(const proofs::Obligation& obligation);

// "n = 3, k = 0".
[[nodiscard]] std::string ModelWords(std::span<const proofs::ModelValue> model,
                                     std::span<const std::string> names);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PROOF_WORDS_H_
