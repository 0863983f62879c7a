// Names of buffers that only several methods together tell: equal places in banks of buffers.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_COMMON_NAMES_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_COMMON_NAMES_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/method_facts.h"

namespace pteproof::proofs {

// Names the unnamed buffers for which the methods that have one there leave one name, and takes
// away the fitting names of the others that cannot be.
void NameByPlaces(std::vector<MethodFacts>& methods);

// Whether all that a method plans in a bank is buffers and views of them. O(values).
[[nodiscard]] bool HoldsBuffersOnly(const MethodFacts& facts, uint32_t bank);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_COMMON_NAMES_H_
