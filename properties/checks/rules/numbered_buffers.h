// shared-layout: buffers without names that may be one by their numbers, in two places.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_NUMBERED_BUFFERS_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_NUMBERED_BUFFERS_H_

#include <vector>

#include "properties/checks/rules/shared_state.h"

namespace pteproof::checks {

// Whether two states without names, of two methods, are one buffer by the exporter's numbers: they
// have one number ahead of the inputs, and the values up to it are alike. O(number).
[[nodiscard]] bool AreNumberedAlike(const ProgramFacts& facts, const StateInstance& a,
                                    const StateInstance& b);

[[nodiscard]] std::vector<Finding> CheckNumberedBuffers(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_NUMBERED_BUFFERS_H_
