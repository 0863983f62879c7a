// From findings to verdicts, one per loader policy. Looks at nothing but findings.
#ifndef PTEPROOF_PROPERTIES_VERDICT_H_
#define PTEPROOF_PROPERTIES_VERDICT_H_

#include <span>

#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof {

// Per policy: unsafe where an error holds under it, else undecided where a finding with `undecided`
// does, else safe. Suppressed findings count for nothing.
[[nodiscard]] Verdicts VerdictsOf(std::span<const Finding> findings);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_VERDICT_H_
