// Stores that went elsewhere than a model can have meant: of a value onto itself, or into an input
// that nobody gets back.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_STRAY_STORES_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_STRAY_STORES_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/method_facts.h"

namespace pteproof::proofs {

// Their instructions, ascending.
[[nodiscard]] std::vector<int32_t> StrayStores(const MethodFacts& facts);

// The source value of a store.
[[nodiscard]] int32_t SourceOfStore(const MethodFacts& facts, int32_t store);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_STRAY_STORES_H_
