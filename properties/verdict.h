// From findings to verdicts: one per loader policy, and one for the file. Looks at nothing but
// findings.
#ifndef PTEPROOF_PROPERTIES_VERDICT_H_
#define PTEPROOF_PROPERTIES_VERDICT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof {

using Verdicts = std::array<Verdict, kPolicyCount>;  // indexed by Policy

// Per policy: unsafe where an error holds under it, else undecided where a finding with `undecided`
// does, else safe. Suppressed findings count for nothing.
[[nodiscard]] Verdicts VerdictsOf(std::span<const Finding> findings);

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
