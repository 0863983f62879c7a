// From findings to verdicts: one per loader policy, and one for the file. Looks at nothing but
// findings.
#ifndef PTEPROOF_PROPERTIES_VERDICT_H_
#define PTEPROOF_PROPERTIES_VERDICT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof {

using Verdicts = std::array<Verdict, kPolicyCount>;  // indexed by Policy

// Whether a finding counts for a verdict: an error, or a note that leaves one open.
[[nodiscard]] bool IsGrave(const Finding& finding);

// Whether it counts, and a manifest gives a reason why it is let be.
[[nodiscard]] bool IsAccepted(const Finding& finding);

// Per policy: unsafe if an error holds under it, else undecided if a finding with `undecided`
// does, else safe. An accepted error is an error.
[[nodiscard]] Verdicts VerdictsOf(std::span<const Finding> findings);

// The same without the accepted findings: what is left to be done.
[[nodiscard]] Verdicts OpenVerdictsOf(std::span<const Finding> findings);

// How many accepted findings hold under the policy; without one, under any.
[[nodiscard]] size_t AcceptedOf(std::span<const Finding> findings, std::optional<Policy> policy);

// The verdict of a file.
enum class Overall : uint8_t { kSafe, kUndecided, kDepends, kUnsafe };

// With a policy, that policy's verdict. Without one, the verdict that all policies agree on, and
// kDepends where they differ.
[[nodiscard]] Overall OverallOf(const Verdicts& verdicts, std::optional<Policy> policy);

// "safe", "undecided", "unsafe"; the second also "depends".
[[nodiscard]] std::string_view Name(Verdict verdict);
[[nodiscard]] std::string_view Name(Overall verdict);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_VERDICT_H_
