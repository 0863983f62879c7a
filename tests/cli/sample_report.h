// A report with one of everything, for the tests of its forms.
#ifndef PTEPROOF_TESTS_CLI_SAMPLE_REPORT_H_
#define PTEPROOF_TESTS_CLI_SAMPLE_REPORT_H_

#include "base/rule_names.h"
#include "cli/file_report.h"
#include "properties/verdict.h"

namespace pteproof {

// An error under `private` in method put, a suppressed warning, and an undecided note of the whole
// file.
inline FileReport SampleReport() {
  FileReport report;
  report.file = "models/put get.pte";
  report.manifest = "models/put get.manifest.json";
  Report& inner = report.report;
  inner.findings.push_back({.rule = rule::kStateSplit,
                            .policies = PolicySet::Of(Policy::kPrivate),
                            .method = "put",
                            .instruction = 3,
                            .values = {0, 4},
                            .bank = 2,
                            .bytes = ByteRange{0, 32},
                            .story = "put stores it.\nget never sees it."});
  inner.findings.push_back({.rule = rule::kPhantomSlot,
                            .severity = Severity::kWarning,
                            .method = "get",
                            .story = "nobody touches v3",
                            .suppressed_because = "known"});
  inner.findings.push_back({.rule = rule::kNotProvable,
                            .severity = Severity::kNote,
                            .undecided = true,
                            .story = "a delegate's outputs are unknown"});
  inner.verdicts = VerdictsOf(inner.findings);
  inner.banks = {{"put", 1, 160, 144, 96, 16}, {"put", 2, 32, 32, 32, 0}};
  inner.overlays = {{"get", 5, 1}};
  inner.assumptions = {"that all stores are there"};
  return report;
}

inline FileReport MalformedReport() {
  FileReport report;
  report.file = "bad.pte";
  report.outcome = Outcome::kMalformed;
  report.report.findings = {
      {.rule = "file-root", .bytes = ByteRange{0, 4}, .story = "the root leads nowhere"}};
  return report;
}

inline FileReport UnreadableReport() {
  FileReport report;
  report.file = "gone.pte";
  report.outcome = Outcome::kUnreadable;
  report.error = "No such file or directory";
  return report;
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_SAMPLE_REPORT_H_
