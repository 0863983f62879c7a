#include "fuzz/fuzz_inputs.h"

#include <algorithm>
#include <cstdlib>

#include "properties/check.h"
#include "runtime/read_program.h"

namespace pteproof {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// Unsafe means exactly that some error, not suppressed, holds under the policy.
void RequireVerdictsFitFindings(const Report& report) {
  for (const Policy policy : {Policy::kPrivate, Policy::kShare12, Policy::kShareAll}) {
    const bool has_error = std::ranges::any_of(report.findings, [&](const Finding& finding) {
      return finding.severity == Severity::kError && finding.suppressed_because.empty() &&
             finding.policies.Has(policy);
    });
    const Verdict verdict = report.verdicts[static_cast<size_t>(policy)];
    Require(has_error == (verdict == Verdict::kUnsafe));
  }
}

}  // namespace

void FuzzRead(Bytes file) {
  const auto program = ReadProgram(file);
  Require(program.ok() || !program.error().empty());
}

void FuzzCheck(Bytes file) {
  const auto program = ReadProgram(file);
  if (!program.ok()) return;
  for (const bool all_first : {false, true}) {
    RequireVerdictsFitFindings(Check(program.value(), {.all_first = all_first}));
  }
}

}  // namespace pteproof
