#include "properties/verdict.h"

#include <algorithm>
#include <cstddef>

#include "base/finding_names.h"

namespace pteproof {
namespace {

Verdict VerdictAlone(const Finding& finding) {
  if (!finding.suppressed_because.empty()) return Verdict::kSafe;
  if (finding.severity == Severity::kError) return Verdict::kUnsafe;
  return finding.undecided ? Verdict::kUndecided : Verdict::kSafe;
}

Overall ToOverall(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSafe:
      return Overall::kSafe;
    case Verdict::kUndecided:
      return Overall::kUndecided;
    case Verdict::kUnsafe:
      return Overall::kUnsafe;
  }
  return Overall::kUnsafe;
}

}  // namespace

Verdicts VerdictsOf(std::span<const Finding> findings) {
  Verdicts verdicts{};
  for (const Finding& finding : findings) {
    const Verdict alone = VerdictAlone(finding);
    for (const Policy policy : kAllPolicies) {
      Verdict& verdict = verdicts[static_cast<size_t>(policy)];
      if (finding.policies.Has(policy)) verdict = std::max(verdict, alone);
    }
  }
  return verdicts;
}

Overall OverallOf(const Verdicts& verdicts, std::optional<Policy> policy) {
  if (policy) return ToOverall(verdicts[static_cast<size_t>(*policy)]);
  const bool agree = std::ranges::all_of(verdicts, [&](Verdict v) { return v == verdicts[0]; });
  return agree ? ToOverall(verdicts[0]) : Overall::kDepends;
}

std::string_view Name(Verdict verdict) {
  return Name(ToOverall(verdict));
}

std::string_view Name(Overall verdict) {
  switch (verdict) {
    case Overall::kSafe:
      return "safe";
    case Overall::kUndecided:
      return "undecided";
    case Overall::kDepends:
      return "depends";
    case Overall::kUnsafe:
      return "unsafe";
  }
  return "";
}

}  // namespace pteproof
