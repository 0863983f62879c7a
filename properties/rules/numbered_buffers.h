// shared-layout and mutability-mismatch: buffers that may be one by their numbers, in two places or
// as data of the file.
#ifndef PTEPROOF_PROPERTIES_RULES_NUMBERED_BUFFERS_H_
#define PTEPROOF_PROPERTIES_RULES_NUMBERED_BUFFERS_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

// Whether two states without names, of two methods, are one buffer by the exporter's numbers. The
// manifest says nothing of them. O(values ahead of the inputs).
[[nodiscard]] bool AreNumberedAlike(const ProgramFacts& facts, const StateInstance& a,
                                    const StateInstance& b);

// Buffers and constants that a method reads, and that are a buffer that another method stores to,
// by their numbers.
[[nodiscard]] std::vector<Finding> CheckNumbers(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_NUMBERED_BUFFERS_H_
