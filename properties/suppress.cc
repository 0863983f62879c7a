#include "properties/suppress.h"

#include <algorithm>

namespace pteproof {
namespace {

bool Fits(const Suppression& suppression, const Finding& finding) {
  return suppression.rule == finding.rule &&
         (suppression.method.empty() || suppression.method == finding.method);
}

}  // namespace

void Suppress(std::span<const Suppression> suppressions, std::span<Finding> findings) {
  for (Finding& finding : findings) {
    const auto fitting =
        std::ranges::find_if(suppressions, [&](const auto& s) { return Fits(s, finding); });
    if (fitting != suppressions.end()) finding.suppressed_because = fitting->reason;
  }
}

}  // namespace pteproof
