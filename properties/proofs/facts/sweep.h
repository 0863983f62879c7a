// Counts the pairs of a write and a name that is wanted then, instruction by instruction and for
// all names at once: a slow and plain method, to compare with the result of needs.h.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_SWEEP_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_SWEEP_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "properties/proofs/facts/program_facts.h"

namespace pteproof::proofs {

// Pairs of one method: of the value that is written and the name, each with a value in whose bytes
// it lies, of one bank. Nothing where names times instructions are beyond kMostSwept.
[[nodiscard]] std::optional<size_t> SweptPairs(const ProgramFacts& facts, int32_t method);

inline constexpr size_t kMostSwept = 200'000'000;

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_SWEEP_H_
