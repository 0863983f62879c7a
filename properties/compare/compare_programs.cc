#include "properties/compare/compare_programs.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "base/work.h"
#include "properties/compare/module_computation.h"
#include "properties/compare/nameless_state.h"
#include "properties/compare/random_calls.h"
#include "properties/differential/case_run.h"
#include "properties/manifest/buffer_keys.h"
#include "pteproof/check.h"
#include "reference/graph/functionalize.h"
#include "runtime/execute/run_limits.h"

namespace pteproof::compare {
namespace {

Policy FirstOf(const PolicySet& policies) {
  const auto first = std::ranges::find_if(kAllPolicies, [&](Policy p) { return policies.Has(p); });
  return first == kAllPolicies.end() ? Policy::kPrivate : *first;
}

std::vector<std::string> NamesOf(const Program& program) {
  std::vector<std::string> names;
  for (const Method& method : program.methods) names.push_back(method.name);
  return names;
}

std::vector<std::string> NamesOfSame(std::span<const MethodComparison> answers) {
  std::vector<std::string> names;
  for (const MethodComparison& answer : answers) {
    if (answer.answer == Answer::kSame) names.push_back(answer.method);
  }
  return names;
}

// Runs what terms have left open, and what they refute. `same`: methods that they prove.
template <class OldSide>
void RunBoth(const OldSide& old_side, const ComparedSide& new_side, const CompareOptions& options,
             const std::vector<std::string>& same, MethodComparison& answer) {
  const bool open = answer.answer == Answer::kOpen && answer.can_run;
  if (options.calls.most <= 0 || (!open && answer.answer != Answer::kDiffers)) return;
  const RandomCallsResult runs = CompareRandomCalls(old_side, new_side,
                                                    {.policy = FirstOf(answer.policies),
                                                     .method = answer.method,
                                                     .same = same,
                                                     .seed = options.seed,
                                                     .calls = options.calls});
  answer.runs = runs.compared;
  answer.run_difference = runs.difference;
  if (!open) return;
  if (!runs.difference.empty()) {
    answer.answer = Answer::kDiffers;
  } else if (runs.compared > 0) {
    answer.answer = Answer::kAgrees;
  }
}

ComparedSide With(const Program& program, ComparedSide side) {
  side.program = &program;
  return side;
}

bool AllAreSame(std::span<const MethodComparison> answers) {
  return std::ranges::all_of(
      answers, [](const MethodComparison& each) { return each.answer == Answer::kSame; });
}

// State without a name that has moved is matched, if that proves all methods the same.
std::vector<MethodComparison> ComputationOf(const ComparedSide& old_side,
                                            const ComparedSide& new_side,
                                            const ComputationOptions& options) {
  std::vector<MethodComparison> answers = CompareComputation(old_side, new_side, options);
  if (AllAreSame(answers)) return answers;
  const auto named = WithNamelessNamed(old_side, new_side);
  if (!named) return answers;
  std::vector<MethodComparison> matched = CompareComputation(
      With(named->old_program, old_side), With(named->new_program, new_side), options);
  if (!AllAreSame(matched)) return answers;
  for (MethodComparison& each : matched) each.assumed.insert(named->assumed);
  return matched;
}

}  // namespace

std::vector<std::string> NamesInOneOnly(std::vector<std::string> olds,
                                        std::vector<std::string> news) {
  std::ranges::sort(olds);
  std::ranges::sort(news);
  std::vector<std::string> names;
  std::ranges::set_symmetric_difference(olds, news, std::back_inserter(names));
  return names;
}

ProgramComparison ComparePrograms(const ComparedSide& old_given, const ComparedSide& new_given,
                                  const CompareOptions& options) {
  const UnderKeys old_keyed(*old_given.program, old_given.manifest);
  const UnderKeys new_keyed(*new_given.program, new_given.manifest);
  const ComparedSide old_side = With(old_keyed.program(), old_given);
  const ComparedSide new_side = With(new_keyed.program(), new_given);
  const RunLimits most = LimitsOf(*old_side.program, old_side.data, {}).ForMany();
  const WithinLimits limits(most.MakeMemoryCount(), most.work);  // of all calls together
  ProgramComparison result;
  result.old_read = old_side.read;
  result.interface = CompareInterface(old_side, new_side);
  result.methods = ComputationOf(old_side, new_side, options.computation);
  const std::vector<std::string> same = NamesOfSame(result.methods);
  for (MethodComparison& answer : result.methods) {
    RunBoth(old_side, new_side, options, same, answer);
    result.computation = Worse(result.computation, answer.answer);
  }
  if (options.computation.method.empty()) {
    result.in_one_only = NamesInOneOnly(NamesOf(*old_side.program), NamesOf(*new_side.program));
  }
  if (result.methods.empty()) result.computation = Answer::kOpen;
  result.constants = CompareConstants(old_side, new_side);
  const Report old_report = Check(*old_side.program, {.manifest = old_side.manifest});
  const Report new_report = Check(*new_side.program, {.manifest = new_side.manifest});
  result.memory = CompareMemory(old_report, new_report);
  result.findings = CompareFindings(old_report, new_report);
  return result;
}

std::vector<MethodComparison> CompareModuleAndRun(const graph::Module& module,
                                                  const ComparedSide& given,
                                                  const CompareOptions& options) {
  const UnderKeys keyed(*given.program, given.manifest);
  const ComparedSide side = With(keyed.program(), given);
  const RunLimits most = LimitsOf(*side.program, side.data, {}).ForMany();
  const WithinLimits limits(most.MakeMemoryCount(), most.work);  // of all calls together
  std::vector<MethodComparison> answers = CompareWithModule(module, side, options.computation);
  const auto functional = graph::Functionalize(module);
  // No run of a Module tells what a delegate gives in the file.
  if (!functional.ok() || IsOpaque(module)) return answers;
  const std::vector<std::string> same = NamesOfSame(answers);
  for (MethodComparison& answer : answers) {
    RunBoth(functional.value(), side, options, same, answer);
  }
  return answers;
}

}  // namespace pteproof::compare
