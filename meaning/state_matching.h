// Which unnamed states of several methods are one buffer of the manifest: by type, size and layout.
#ifndef PTEPROOF_MEANING_STATE_MATCHING_H_
#define PTEPROOF_MEANING_STATE_MATCHING_H_

#include <cstdint>
#include <span>

#include "meaning/method_meaning.h"

namespace pteproof::meaning {

// Gives unnamed states the keys that follow from other methods, and narrows the possible ones of
// the rest. O(n log n) in states times the buffers of one form, per round.
void MatchStates(std::span<MethodMeaning> methods);

// Whether a method plans nothing in a bank but its state. O(values).
[[nodiscard]] bool HoldsStateOnly(const MethodMeaning& meant, uint32_t bank);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_STATE_MATCHING_H_
