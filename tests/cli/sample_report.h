// A report with one of everything, for the tests of its forms.
#ifndef PTEPROOF_TESTS_CLI_SAMPLE_REPORT_H_
#define PTEPROOF_TESTS_CLI_SAMPLE_REPORT_H_

#include "base/rule_names.h"
#include "cli/load/file_report.h"
#include "properties/verdict.h"

namespace pteproof {

inline Finding SplitFinding() {
  Finding finding;
  finding.rule = rule::kStateSplit;
  finding.policies = PolicySet::Of(Policy::kPrivate);
  finding.method = "put";
  finding.instruction = 3;
  finding.values = {0, 4};
  finding.bank = 2;
  finding.bytes = ByteRange{0, 32};
  finding.explanation = "put stores it.\nget never sees it.";
  finding.fix = "share the bank";
  return finding;
}

// Two places of one cause, the second about more bytes.
inline Finding GroupedFinding() {
  Finding finding = SplitFinding();
  finding.other_method = "get";
  finding.instances = {{3, {0, 4}, 2, ByteRange{0, 32}, finding.explanation},
                       {7, {1}, 2, ByteRange{32, 96}, "put stores another.\nget misses it."}};
  return finding;
}

inline Finding SuppressedFinding() {
  Finding finding;
  finding.rule = rule::kPhantomSlot;
  finding.severity = Severity::kWarning;
  finding.method = "get";
  finding.explanation = "nobody touches v3";
  finding.suppressed_because = "known";
  return finding;
}

inline Finding UndecidedFinding() {
  Finding finding;
  finding.rule = rule::kNotProvable;
  finding.severity = Severity::kNote;
  finding.undecided = true;
  finding.explanation = "a delegate's outputs are unknown";
  return finding;
}

// An error under `private` in method put, a suppressed warning, and an undecided note of the whole
// file.
inline FileReport SampleReport() {
  FileReport report;
  report.file = "models/put get.pte";
  report.manifest = "models/put get.manifest.json";
  Report& inner = report.report;
  inner.findings = {SplitFinding(), SuppressedFinding(), UndecidedFinding()};
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
  Finding finding;
  finding.rule = "file-root";
  finding.bytes = ByteRange{0, 4};
  finding.explanation = "the root table lies outside";
  report.report.findings = {finding};
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
