// Suppression: findings that the manifest knows and gives a reason for. They stay in the report and
// in its verdicts; errors among them are accepted ones (properties/verdict.h).
#ifndef PTEPROOF_PROPERTIES_SUPPRESS_H_
#define PTEPROOF_PROPERTIES_SUPPRESS_H_

#include <span>

#include "pteproof/finding.h"
#include "pteproof/manifest.h"

namespace pteproof {

// Gives each finding with the rule (and method, if one is named) of a suppression its reason; the
// first that fits counts.
void Suppress(std::span<const Suppression> suppressions, std::span<Finding> findings);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_SUPPRESS_H_
