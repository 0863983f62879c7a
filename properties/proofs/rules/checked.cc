// Rules in which nothing is computed are one for the check and the proof: what they say of a
// program that is wrong or open becomes an obligation that does not hold.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/finding_order.h"
#include "properties/group_findings.h"
#include "properties/proofs/rules/rules.h"
#include "properties/rules/program_rules.h"

namespace pteproof::proofs {
namespace {

Obligation ObligationOf(Finding finding) {
  Obligation o;
  o.kind = finding.rule;
  o.severity = finding.severity;
  o.policies = finding.policies;
  o.method = std::move(finding.method);
  o.instruction = finding.instruction;
  o.values = std::move(finding.values);
  o.goal = None(1);
  o.refuted = std::move(finding.explanation);
  if (finding.instances.size() > 1) {
    o.refuted += fmt::format("\nThe first of {} places with one cause.", finding.instances.size());
  }
  o.checked = true;
  return o;
}

}  // namespace

void ObligeChecked(Obliger& obliger, const CheckOptions& options) {
  const ProgramFacts& facts = obliger.facts();
  const checks::ProgramFacts about = {*facts.program, facts.meant.methods, facts.meant.states,
                                      facts.meant.calls, options};
  Report report;
  report.findings = checks::CheckRules(about);
  checks::NoteAssumptions(about, report);
  std::erase_if(report.findings, [](const Finding& finding) {
    return finding.severity != Severity::kError && !finding.undecided;
  });
  std::ranges::stable_sort(report.findings, ComesBefore);
  for (Finding& finding : GroupFindings(std::move(report.findings))) {
    obliger.Add(ObligationOf(std::move(finding)));
  }
  obliger.Assume(std::move(report.assumptions));
}

}  // namespace pteproof::proofs
