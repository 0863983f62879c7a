// Stores that went elsewhere than a model can have meant: of a value onto itself, or into an input
// that nobody gets back.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_STRAY_STORES_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_STRAY_STORES_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/method_facts.h"

namespace pteproof::proofs {

// Instructions, ascending.
struct StrayStores {
  std::vector<int32_t> certain;
  // The only store to an input that comes back where the exporter lists the inputs that the model
  // mutates: it is the input's own, unless a buffer's went there.
  std::vector<int32_t> possible;
};

// If the manifest says which inputs the model mutates, none is merely possible.
[[nodiscard]] StrayStores StrayStoresOf(const MethodFacts& facts);

// The source value of a store.
[[nodiscard]] int32_t SourceOfStore(const MethodFacts& facts, int32_t store);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_STRAY_STORES_H_
