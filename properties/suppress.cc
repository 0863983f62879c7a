#include "properties/suppress.h"

#include <algorithm>

#include "properties/verdict.h"

namespace pteproof {
namespace {

bool Fits(const Suppression& suppression, const Finding& finding) {
  return suppression.rule == finding.rule &&
         (suppression.method.empty() || suppression.method == finding.method);
}

}  // namespace

void Suppress(std::span<const Suppression> suppressions, Report& report) {
  for (Finding& finding : report.findings) {
    const auto fitting =
        std::ranges::find_if(suppressions, [&](const auto& s) { return Fits(s, finding); });
    if (fitting != suppressions.end()) finding.suppressed_because = fitting->reason;
  }
  report.verdicts = VerdictsOf(report.findings);
}

}  // namespace pteproof
