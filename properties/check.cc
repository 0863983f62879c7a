#include "pteproof/check.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "base/without.h"
#include "properties/checks/flow/method_check.h"
#include "properties/checks/rules/in_place.h"
#include "properties/checks/rules/method_rules.h"
#include "properties/checks/rules/overlap.h"
#include "properties/checks/rules/program_rules.h"
#include "properties/checks/rules/refused_calls.h"
#include "properties/checks/rules/state_matching.h"
#include "properties/finding_order.h"
#include "properties/group_findings.h"
#include "properties/manifest/buffer_keys.h"
#include "properties/readings.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

using checks::MethodCheck;

void Append(std::vector<Finding>& all, std::vector<Finding> some) {
  std::ranges::move(some, std::back_inserter(all));
}

std::vector<MethodCheck> AnalyseAll(const Program& program, const CheckOptions& options,
                                    const Reading& reading) {
  std::vector<MethodCheck> methods;
  methods.reserve(program.methods.size());
  const double numberings = checks::NumberingsOf(program);
  for (const Method& method : program.methods) {
    methods.push_back(checks::AnalyseMethod(method, options.manifest, &reading, numberings));
  }
  if (options.manifest != nullptr) checks::MatchStates(methods);
  return methods;
}

Report JudgeMethods(const Program& program, const CheckOptions& options,
                    std::span<const MethodCheck> methods) {
  Report report;
  const checks::CallOrder calls = checks::CallOrderOf(program, options.manifest);
  const checks::StateTable states = checks::StateTableOf(methods, calls);
  const checks::ProgramFacts facts = {program, methods, states, calls, options};
  for (size_t m = 0; m < methods.size(); ++m) {
    if (!facts.IsLoaded(static_cast<int32_t>(m))) continue;
    Append(report.findings, checks::CheckMethod(methods[m], states, m));
    Append(report.findings, checks::CheckRefusedCalls(program, methods[m].flow()));
  }
  Append(report.findings, checks::CheckProgram(facts));
  checks::Measure(methods, report);
  checks::NoteAssumptions(facts, report);
  std::erase_if(report.findings, [](const Finding& f) { return Without(kCheckedRule, f.rule); });
  report.verdicts = VerdictsOf(report.findings);
  return report;
}

std::vector<Doubt> DoubtsOfAll(std::span<const MethodCheck> methods) {
  std::set<Doubt> doubts;
  for (const MethodCheck& check : methods) {
    for (Doubt& doubt : checks::DoubtsOf(check)) doubts.insert(std::move(doubt));
  }
  return {doubts.begin(), doubts.end()};
}

}  // namespace

Report Check(const Program& given, const CheckOptions& options) {
  const UnderKeys keyed(given, options.manifest);
  const Program& program = keyed.program();
  const std::vector<MethodCheck> usual = AnalyseAll(program, options, {});
  Report report = JudgeReadings(DoubtsOfAll(usual), [&](const Reading& reading) {
    if (reading.empty()) return JudgeMethods(program, options, usual);
    return JudgeMethods(program, options, AnalyseAll(program, options, reading));
  });
  std::ranges::stable_sort(report.findings, ComesBefore);
  report.findings = GroupFindings(std::move(report.findings));
  return report;
}

}  // namespace pteproof
