// Suppression: findings that the manifest knows and gives a reason for stay in the report, and
// count for nothing.
#ifndef PTEPROOF_PROPERTIES_SUPPRESS_H_
#define PTEPROOF_PROPERTIES_SUPPRESS_H_

#include <span>

#include "pteproof/manifest.h"
#include "pteproof/report.h"

namespace pteproof {

// Gives each finding with the rule (and method, where one is named) of a suppression its reason;
// the first that fits counts. Then forms the report's verdicts anew.
void Suppress(std::span<const Suppression> suppressions, Report& report);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_SUPPRESS_H_
