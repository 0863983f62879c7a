#include "pteproof/check.h"

#include <algorithm>
#include <utility>

#include "base/rule_names.h"
#include "base/without.h"
#include "properties/checks/flow/method_check.h"
#include "properties/checks/rules/in_place.h"
#include "properties/checks/rules/method_rules.h"
#include "properties/checks/rules/overlap.h"
#include "properties/checks/rules/program_rules.h"
#include "properties/finding_order.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

using checks::MethodCheck;

void Append(std::vector<Finding>& all, std::vector<Finding> some) {
  std::ranges::move(some, std::back_inserter(all));
}

}  // namespace

Report Check(const Program& program, const CheckOptions& options) {
  Report report;
  std::vector<MethodCheck> methods;
  methods.reserve(program.methods.size());
  for (const Method& method : program.methods) {
    methods.push_back(checks::AnalyseMethod(method, options.manifest));
  }
  const checks::StateTable states = checks::StateTableOf(methods);
  const checks::ProgramFacts facts = {program, methods, states, options};
  for (size_t m = 0; m < methods.size(); ++m) {
    Append(report.findings, checks::CheckMethod(methods[m], states, m));
  }
  Append(report.findings, checks::CheckProgram(facts));
  checks::Measure(methods, report);
  checks::NoteAssumptions(facts, report);
  std::erase_if(report.findings, [](const Finding& f) { return Without(kCheckedRule, f.rule); });
  std::ranges::stable_sort(report.findings, ComesBefore);
  report.verdicts = VerdictsOf(report.findings);
  return report;
}

}  // namespace pteproof
