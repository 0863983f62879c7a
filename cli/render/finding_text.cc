#include "cli/render/finding_text.h"

#include <fmt/format.h>

#include <vector>

#include "base/finding_names.h"
#include "cli/io/quote.h"
#include "properties/group_findings.h"

namespace pteproof {
namespace {

// Of several instances the worst, unless that is the first, which the finding tells.
std::string WorstText(const Finding& finding) {
  if (finding.instances.empty()) return "";
  const size_t worst = WorstOf(finding.instances);
  if (worst == 0) return "\nThis is the first instance. No other loses more bytes.";
  const FindingInstance& instance = finding.instances[worst];
  return fmt::format("\nThis is the first instance. The one with the most bytes, {}:\n{}",
                     instance.bytes->hi - instance.bytes->lo, instance.explanation);
}

}  // namespace

std::string PoliciesText(const Finding& finding) {
  if (finding.policies == PolicySet::All()) return "";
  std::string names;
  for (const Policy policy : kAllPolicies) {
    if (!finding.policies.Has(policy)) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", Name(policy));
  }
  return fmt::format("[{}]", names);
}

std::string WithFix(const Finding& finding) {
  std::string text = finding.explanation + WorstText(finding);
  if (!finding.fix.empty()) text += fmt::format("\nFix: {}", finding.fix);
  return text;
}

std::string WhereText(const Finding& finding) {
  constexpr size_t kShownValues = 6;
  std::vector<std::string> parts;
  if (!finding.method.empty()) parts.push_back("method " + Quote(finding.method));
  if (!finding.instances.empty()) {
    parts.push_back(fmt::format("{} instances of one cause", finding.instances.size()));
  }
  if (finding.instruction >= 0) parts.push_back(fmt::format("instruction {}", finding.instruction));
  for (size_t i = 0; i < finding.values.size() && i < kShownValues; ++i) {
    parts.push_back(fmt::format("v{}", finding.values[i]));
  }
  if (finding.values.size() > kShownValues) {
    parts.push_back(fmt::format("{} more", finding.values.size() - kShownValues));
  }
  std::string bytes;
  if (finding.bytes) bytes = fmt::format("[{},{})", finding.bytes->lo, finding.bytes->hi);
  if (finding.bank != 0) {
    parts.push_back(fmt::format("bank {}{}{}", finding.bank, bytes.empty() ? "" : " ", bytes));
  } else if (!bytes.empty()) {
    parts.push_back("file bytes " + bytes);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace pteproof
