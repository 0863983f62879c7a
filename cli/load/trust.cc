#include "cli/load/trust.h"

#include <algorithm>
#include <utility>

#include "cli/io/quote.h"
#include "properties/two_readings.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

// What the manifest would settle, as a reader finds it: rules, each once, and the loader.
std::vector<std::string> SettledBy(const FileReport& report, bool loader) {
  std::vector<std::string> settled;
  const auto& findings = report.report.findings;
  for (size_t f = 0; f < findings.size(); ++f) {
    if (!IsSettled(report, f)) continue;
    std::string rule(findings[f].rule);
    if (std::ranges::find(settled, rule) == settled.end()) settled.push_back(std::move(rule));
  }
  if (loader) settled.emplace_back("the loader");
  return settled;
}

}  // namespace

std::optional<Policy> LoaderToJudge(const Verdicts& verdicts, std::optional<Policy> asked,
                                    std::optional<Policy> stated) {
  if (asked || !stated) return asked;
  const bool betters = OverallOf(verdicts, stated) < OverallOf(verdicts, std::nullopt);
  return betters ? std::nullopt : stated;
}

bool IsSettled(const FileReport& report, size_t finding) {
  const Finding& at = report.report.findings[finding];
  const bool decides = IsGrave(at) && (!report.policy || at.policies.Has(*report.policy));
  return decides && (IsOfFileAlone(report, finding) || IsAccepted(at));
}

std::string TrustCommand(std::string_view file) {
  return "pteproof trust " + ShellWord(file);
}

void Distrust(const Report& alone, std::optional<Policy> asked, FileReport& report) {
  const Overall believed = OverallOf(report.report.verdicts, report.policy);
  const ExitCode believed_code = ExitCodeOf(report);
  report.file_alone = AddFileAlone(alone, report.report);
  report.trusted = false;
  const std::optional<Policy> stated = report.policy;
  report.policy = LoaderToJudge(report.report.verdicts, asked, stated);
  const Overall verdict = OverallOf(report.report.verdicts, report.policy);
  const bool betters = believed < verdict || believed_code != ExitCodeOf(report);
  if (!betters) return;
  report.by_word = believed;
  report.settled = SettledBy(report, stated != report.policy);
}

}  // namespace pteproof
