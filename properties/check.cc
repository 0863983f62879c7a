#include "pteproof/check.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "base/without.h"
#include "meaning/program_meaning.h"
#include "properties/checks/check_plan.h"
#include "properties/finding_order.h"
#include "properties/group_findings.h"
#include "properties/manifest/buffer_keys.h"
#include "properties/readings.h"
#include "properties/rules/program_rules.h"
#include "properties/uses.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

Report JudgeMeaning(const Program& program, const CheckOptions& options,
                    const meaning::ProgramMeaning& meant) {
  const checks::ProgramFacts facts = {program, meant.methods, meant.states, meant.calls, options};
  Report report;
  std::vector<checks::Walk> walks;
  for (size_t m = 0; m < meant.methods.size(); ++m) {
    const meaning::MethodMeaning& method = meant.methods[m];
    walks.push_back(checks::WalkBackwards(method.flow(), method.live));
    if (!facts.IsLoaded(static_cast<int32_t>(m))) continue;
    for (Finding& finding : checks::CheckPlan(method, walks[m], meant.states, m)) {
      if (!Without(kCheckedRule, finding.rule)) report.findings.push_back(std::move(finding));
    }
  }
  std::ranges::move(checks::CheckRules(facts), std::back_inserter(report.findings));
  checks::Measure(meant.methods, walks, report);
  checks::NoteAssumptions(facts, report);
  report.verdicts = VerdictsOf(report.findings);
  return report;
}

}  // namespace

Report Check(const Program& given, const CheckOptions& asked) {
  const UnderUse used(given, asked);
  const CheckOptions& options = used.options();
  const UnderKeys keyed(used.program(), options.manifest);
  const Program& program = keyed.program();
  const meaning::ProgramMeaning usual = meaning::MeaningOf(program, options.manifest);
  Report report = JudgeReadings(DoubtsOf(usual), [&](const Reading& reading) {
    if (reading.empty()) return JudgeMeaning(program, options, usual);
    return JudgeMeaning(program, options, meaning::MeaningOf(program, options.manifest, reading));
  });
  report = used.Restored(std::move(report));
  std::ranges::stable_sort(report.findings, ComesBefore);
  report.findings = GroupFindings(std::move(report.findings));
  return report;
}

}  // namespace pteproof
