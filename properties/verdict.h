// From findings to verdicts, one per loader policy. Looks at nothing but findings.
#ifndef PTEPROOF_PROPERTIES_VERDICT_H_
#define PTEPROOF_PROPERTIES_VERDICT_H_

#include <cstddef>
#include <optional>
#include <span>

#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof {

// Whether a finding counts: an error, or a note that leaves a verdict open.
[[nodiscard]] bool IsGrave(const Finding& finding);

// Whether it counts, and a manifest gives a reason why it is let be.
[[nodiscard]] bool IsAccepted(const Finding& finding);

// Per policy: unsafe if an error holds under it, else undecided if a finding with `undecided`
// does, else safe. An accepted error is an error. A loader that refuses the program (load-fails)
// says nothing of its plan.
[[nodiscard]] Verdicts VerdictsOf(std::span<const Finding> findings);

// The same without the accepted findings: what is left to be done.
[[nodiscard]] Verdicts OpenVerdictsOf(std::span<const Finding> findings);

// How many accepted findings hold under the policy; without one, under any.
[[nodiscard]] size_t AcceptedOf(std::span<const Finding> findings, std::optional<Policy> policy);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_VERDICT_H_
