#include <vector>

#include "tests/executorch/comparable_case.h"
#include "tests/planted/score.h"

namespace pteproof {
namespace {

constexpr uint64_t kCasesAtOnce = 50;

// The case under this seed as a job, and in it the file with the defect.
std::optional<witness::ComparableCase> CaseFor(const DefectRow& defect, uint64_t seed) {
  auto drawn = CaseOf(seed);
  if (!drawn || !witness::IsComparable(drawn->random.module)) return std::nullopt;
  planner::PlanOptions options = drawn->setting.options;
  options.plan_inputs = options.plan_outputs = true;
  DefectivePlan plan = PlanWith(defect, drawn->random, options, seed);
  if (!plan.program) return std::nullopt;
  return witness::JobOf(drawn->random, *plan.program, plan.bytes, plan.loader);
}

// The process that ran it came to its end.
bool IsCrash(std::string_view error) {
  return error.starts_with("process ended");
}

}  // namespace

bool HasExecutorch() {
  return true;
}

std::optional<uint64_t> CasesInExecutorch(const DefectRow& defect, uint64_t most) {
  uint64_t seed = 0;
  const uint64_t last_seed = 20 * most;  // a defect may leave hardly any case to compare
  for (uint64_t tried = 0; tried < most && seed < last_seed;) {
    std::vector<witness::ComparableCase> cases;
    while (cases.size() < kCasesAtOnce && tried + cases.size() < most && seed < last_seed) {
      if (auto c = CaseFor(defect, seed++)) cases.push_back(std::move(*c));
    }
    std::vector<witness::Job> jobs;
    jobs.reserve(cases.size());
    for (const auto& c : cases) jobs.push_back(c.job);
    const std::vector<witness::Answer> answers = witness::Ask(jobs);
    for (size_t n = 0; n < cases.size(); ++n) {
      const witness::Compared compared = Compare(cases[n], answers[n]);
      if (!compared.difference.empty() || IsCrash(compared.error)) return tried + n + 1;
    }
    tried += cases.size();
  }
  return std::nullopt;
}

}  // namespace pteproof
