// Whether a value that is filled part by part may still be empty when it is read.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_MAY_BE_EMPTY_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_MAY_BE_EMPTY_H_

#include <cstdint>

#include "properties/proofs/facts/method_facts.h"

namespace pteproof::proofs {

// By which runs may be entered while no part of the value has been made; once one is, all count as
// made. `reader`: an instruction, or the instruction count for the end. False where nothing fills
// it. O(runs squared).
[[nodiscard]] bool MayBeEmpty(const MethodFacts& facts, int32_t value, int32_t reader);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_MAY_BE_EMPTY_H_
