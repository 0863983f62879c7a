#include "properties/verdict.h"

#include <algorithm>
#include <cstddef>

#include "base/finding_names.h"
#include "base/rule_names.h"

namespace pteproof {
namespace {

Verdict VerdictAlone(const Finding& finding) {
  if (finding.rule == rule::kLoadFails) return Verdict::kSafe;
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

void Add(const Finding& finding, Verdicts& verdicts) {
  const Verdict alone = VerdictAlone(finding);
  for (const Policy policy : kAllPolicies) {
    Verdict& verdict = verdicts[static_cast<size_t>(policy)];
    if (finding.policies.Has(policy)) verdict = std::max(verdict, alone);
  }
}

}  // namespace

bool IsGrave(const Finding& finding) {
  return finding.severity == Severity::kError || finding.undecided;
}

bool IsAccepted(const Finding& finding) {
  return IsGrave(finding) && !finding.suppressed_because.empty();
}

Verdicts VerdictsOf(std::span<const Finding> findings) {
  Verdicts verdicts{};
  for (const Finding& finding : findings) Add(finding, verdicts);
  return verdicts;
}

Verdicts OpenVerdictsOf(std::span<const Finding> findings) {
  Verdicts verdicts{};
  for (const Finding& finding : findings) {
    if (!IsAccepted(finding)) Add(finding, verdicts);
  }
  return verdicts;
}

size_t AcceptedOf(std::span<const Finding> findings, std::optional<Policy> policy) {
  return static_cast<size_t>(std::ranges::count_if(findings, [&](const Finding& finding) {
    return IsAccepted(finding) && (!policy || finding.policies.Has(*policy));
  }));
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
