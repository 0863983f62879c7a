#include "properties/agreement/confirm.h"

#include <algorithm>

#include "base/rule_names.h"

namespace pteproof {

bool IsJudgedByCheck(const proofs::Obligation& refuted, const proofs::Decision& decision) {
  return !refuted.any_order && !refuted.checked && decision.unshown.empty();
}

bool IsConfirmed(const proofs::Obligation& refuted, const proofs::Decision& decision,
                 const Report& report) {
  if (refuted.kind == rule::kBoundTooSmall && !decision.model.empty()) return true;
  return std::ranges::any_of(report.findings, [&](const Finding& finding) {
    const bool told = finding.severity == Severity::kError || finding.undecided;
    // A finding about several methods is reported at one of them.
    const bool there = finding.method.empty() || refuted.method.empty() ||
                       finding.method == refuted.method || finding.policies != PolicySet::All();
    return told && there && (finding.policies.bits & refuted.policies.bits) != 0;
  });
}

}  // namespace pteproof
