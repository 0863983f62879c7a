#include "cli/load/trust.h"

#include "cli/load/beside.h"
#include "properties/two_readings.h"
#include "properties/verdict.h"

namespace pteproof {

ManifestSource ManifestFor(const std::string& file, const ManifestChoice& choice) {
  if (choice.none) return {};
  if (!choice.named.empty()) return {choice.named, true};
  std::string beside = Beside(file, kManifestSuffix);
  const bool trusted = beside.empty() || choice.trust;
  return {std::move(beside), trusted};
}

std::optional<Policy> LoaderToJudge(const Verdicts& verdicts, std::optional<Policy> asked,
                                    std::optional<Policy> stated) {
  if (asked || !stated) return asked;
  const bool betters = OverallOf(verdicts, stated) < OverallOf(verdicts, std::nullopt);
  return betters ? std::nullopt : stated;
}

void Distrust(const Report& alone, std::optional<Policy> asked, FileReport& report) {
  const Overall believed = OverallOf(report.report.verdicts, report.policy);
  const ExitCode believed_code = ExitCodeOf(report);
  report.file_alone = AddFileAlone(alone, report.report);
  report.trusted = false;
  report.policy = LoaderToJudge(report.report.verdicts, asked, report.policy);
  const Overall verdict = OverallOf(report.report.verdicts, report.policy);
  const bool betters = believed < verdict || believed_code != ExitCodeOf(report);
  if (betters) report.by_word = believed;
}

}  // namespace pteproof
