// The check ends, its verdicts are what its findings say, and neither depends on how the file is
// laid out: the program written anew is judged the same.
#include "pteproof/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/finding_names.h"
#include "fuzz/require.h"
#include "fuzz/targets/targets.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof::fuzz {
namespace {

// Unsafe means exactly that some error, accepted or not, holds under the policy.
void RequireVerdictsFitFindings(const Report& report) {
  for (const Policy policy : kAllPolicies) {
    const bool has_error = std::ranges::any_of(report.findings, [&](const Finding& finding) {
      return finding.severity == Severity::kError && finding.policies.Has(policy);
    });
    const Verdict verdict = report.verdicts[static_cast<size_t>(policy)];
    Require(has_error == (verdict == Verdict::kUnsafe), "unsafe means that there is an error");
  }
}

// Without the numbers of stored data, which a writer may choose.
std::string WithoutDataNumbers(std::string_view explanation) {
  constexpr std::string_view kBefore = "data ";
  std::string text;
  while (!explanation.empty()) {
    const size_t end = std::min(explanation.find(kBefore), explanation.size());
    const size_t after = std::min(end + kBefore.size(), explanation.size());
    text += explanation.substr(0, after);
    explanation.remove_prefix(after);
    explanation.remove_prefix(
        std::min(explanation.find_first_not_of("0123456789"), explanation.size()));
  }
  return text;
}

std::string TextOf(const Report& report) {
  std::string text = fmt::format("{}\n", fmt::join(report.assumptions, "\n"));
  for (const Verdict verdict : report.verdicts)
    text += fmt::format("{} ", static_cast<int>(verdict));
  for (const Finding& f : report.findings) {
    text += fmt::format("\n{} {} {} {} {} {} {} {}", f.rule, static_cast<int>(f.severity),
                        f.policies.bits, f.method, f.instruction, fmt::join(f.values, ","), f.bank,
                        WithoutDataNumbers(f.explanation));
  }
  return text;
}

// The rest of the first text from where they differ on.
std::string FirstDifference(const std::string& a, const std::string& b) {
  const auto at = std::ranges::mismatch(a, b).in1;
  return fmt::format("...{}", std::string_view(at, a.end()).substr(0, 300));
}

}  // namespace

Stage FuzzCheck(Bytes input) {
  const auto program = ReadProgram(input);
  if (!program.ok()) return Stage::kRefused;
  const auto written = WriteProgram(program.value());
  // Stored data that lie nowhere, and tables of more than 2 GiB, are all that cannot be written.
  if (!written.ok()) Fail("what was read can be written", written.error());
  const auto again = ReadProgram(written.value());
  Require(again.ok(), "what was written can be read");
  const std::string difference = ProgramDifference(program.value(), again.value());
  if (!difference.empty()) Fail("what was written is what was read", difference);
  for (const CheckOptions& options :
       {CheckOptions{}, CheckOptions{.all_first = true}, CheckOptions{.use = Use::kReload},
        CheckOptions{.use = Use::kConcurrent}}) {
    const Report report = Check(program.value(), options);
    RequireVerdictsFitFindings(report);
    const Report second = Check(again.value(), options);
    const std::string text = TextOf(report);
    if (text != TextOf(second))
      Fail("equal programs are judged equally", FirstDifference(text, TextOf(second)));
  }
  return Stage::kJudged;
}

}  // namespace pteproof::fuzz
