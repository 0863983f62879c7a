#include "cli/load/file_report.h"

#include <algorithm>

#include "properties/loads.h"

namespace pteproof {
namespace {

// The word for a file that was not judged.
std::string_view Word(Outcome outcome) {
  switch (outcome) {
    case Outcome::kJudged:
      return "";
    case Outcome::kMalformed:
    case Outcome::kOtherVerbs:
      return "malformed";
    case Outcome::kWrongManifest:
      return "wrong-manifest";
    case Outcome::kUnreadable:
      return "unreadable";
    case Outcome::kNotJudged:
      return "not-judged";
    case Outcome::kInternal:
      return "internal-error";
  }
  return "";
}

}  // namespace

std::string StandardLine(const Standing& standing) {
  return standing.source + (standing.broken.empty() ? ", met" : ", not met:");
}

std::string_view VerdictWord(const FileReport& report) {
  if (report.outcome != Outcome::kJudged) return Word(report.outcome);
  return Name(OverallOf(report.report.verdicts, report.policy));
}

std::string_view VerdictWord(const FileReport& report, Policy policy) {
  if (report.outcome != Outcome::kJudged) return Word(report.outcome);
  return Name(report.report.verdicts[static_cast<size_t>(policy)]);
}

bool IsOfFileAlone(const FileReport& report, size_t finding) {
  return finding < report.file_alone.size() && report.file_alone[finding];
}

size_t AcceptedOf(const FileReport& report) {
  return AcceptedOf(report.report.findings, report.policy);
}

bool IsRefused(const FileReport& report) {
  return std::ranges::any_of(report.report.findings, [&](const Finding& finding) {
    return IsRefusal(finding) && (!report.trusted || finding.suppressed_because.empty());
  });
}

Weight WeightOf(const FileReport& report, size_t finding) {
  if (report.standing) return report.standing->weights[finding];
  const Finding& of = report.report.findings[finding];
  if (report.policy && !of.policies.Has(*report.policy)) return Weight::kNothing;
  if (report.trusted && !of.suppressed_because.empty()) return Weight::kNothing;
  if (of.severity == Severity::kError) return Weight::kError;
  if (of.undecided) return Weight::kUndecided;
  return of.severity == Severity::kWarning ? Weight::kWarning : Weight::kNothing;
}

ExitCode ExitCodeOf(Overall verdict) {
  switch (verdict) {
    case Overall::kSafe:
      return ExitCode::kSafe;
    case Overall::kUnsafe:
      return ExitCode::kUnsafe;
    case Overall::kUndecided:
    case Overall::kDepends:
      return ExitCode::kUndecided;
  }
  return ExitCode::kInternal;
}

ExitCode ExitCodeOf(const FileReport& report) {
  switch (report.outcome) {
    case Outcome::kJudged:
      if (report.standing) return report.standing->code;
      return Worse(IsRefused(report) ? ExitCode::kUnsafe : ExitCode::kSafe,
                   ExitCodeOf(OverallOf(report.trusted ? OpenVerdictsOf(report.report.findings)
                                                       : report.report.verdicts,
                                        report.policy)));
    case Outcome::kMalformed:
    case Outcome::kNotJudged:  // the data's own report counts at least as much
      return ExitCode::kMalformed;
    case Outcome::kWrongManifest:
    case Outcome::kOtherVerbs:
      return ExitCode::kUsage;
    case Outcome::kUnreadable:
      return ExitCode::kUnreadable;
    case Outcome::kInternal:
      return ExitCode::kInternal;
  }
  return ExitCode::kInternal;
}

}  // namespace pteproof
