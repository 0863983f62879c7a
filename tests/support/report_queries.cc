#include "tests/support/report_queries.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>

#include "base/finding_names.h"
#include "properties/agreement/judge_all_checkers.h"
#include "properties/group_findings.h"
#include "properties/proofs/prove.h"
#include "properties/verdict.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"

namespace pteproof {
namespace {

std::string RowOf(std::span<const Verdict> verdicts) {
  std::string row;
  for (const Verdict verdict : verdicts) {
    if (!row.empty()) row += ' ';
    row += Name(verdict);
  }
  return row;
}

}  // namespace

std::string LineOf(const Finding& finding) {
  return LineOf(finding, [](int32_t value) { return fmt::format("v{}", value); });
}

std::string LineOf(const Finding& finding,
                   const std::function<std::string(int32_t)>& word_of) {
  std::string line = fmt::format("{} {}", Name(finding.severity), finding.rule);
  if (!finding.method.empty()) line += ' ' + finding.method;
  if (finding.instruction >= 0) line += fmt::format("#{}", finding.instruction);
  for (const int32_t value : finding.values) line += ' ' + word_of(value);
  if (finding.bank > 0) line += fmt::format(" bank {}", finding.bank);
  if (finding.bytes) line += fmt::format(" [{},{})", finding.bytes->lo, finding.bytes->hi);
  if (finding.policies != PolicySet::All()) {
    line += " under";
    for (const Policy policy : kAllPolicies) {
      if (finding.policies.Has(policy)) line += fmt::format(" {}", Name(policy));
    }
  }
  if (finding.undecided) line += " undecided";
  if (!finding.suppressed_because.empty()) line += " suppressed";
  return line;
}

std::vector<std::string> LinesOf(const Report& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : UngroupFindings(report.findings)) {
    lines.push_back(LineOf(finding));
  }
  return lines;
}

std::vector<std::string> LinesOf(const Report& report, std::string_view rule) {
  std::vector<std::string> lines;
  for (const Finding& finding : UngroupFindings(report.findings)) {
    if (finding.rule == rule) lines.push_back(LineOf(finding));
  }
  return lines;
}

std::vector<std::string> TroubleOf(const Report& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : UngroupFindings(report.findings)) {
    if (finding.severity == Severity::kError || finding.undecided) lines.push_back(LineOf(finding));
  }
  return lines;
}

std::string ExplanationOf(const Report& report, std::string_view rule) {
  for (const Finding& finding : report.findings) {
    if (finding.rule == rule) return finding.explanation;
  }
  return {};
}

std::string FixOf(const Report& report, std::string_view rule) {
  for (const Finding& finding : report.findings) {
    if (finding.rule == rule) return finding.fix;
  }
  return {};
}

std::vector<size_t> LineLengths(std::string_view explanation) {
  std::vector<size_t> lengths = {0};
  for (const char c : explanation) {
    if (c == '\n') {
      lengths.push_back(0);
    } else {
      ++lengths.back();
    }
  }
  return lengths;
}

std::string VerdictRow(const Report& report) {
  return RowOf(report.verdicts);
}

std::string AgreedRow(const Program& program) {
  const CheckersVerdict checkers = JudgeAllCheckers(program, {});
  EXPECT_EQ(checkers.disagreement, "");
  return VerdictRow(checkers.check);
}

std::string ProvedRow(const Program& program, const Manifest* manifest) {
  return RowOf(proofs::Prove(program, {.manifest = manifest}).verdicts);
}

Report CheckWith(const Program& program, std::string_view manifest) {
  const auto parsed = ParseManifest(manifest);
  if (!parsed) {
    ADD_FAILURE() << "the manifest is refused at '" << parsed.error().front().where
                  << "': " << parsed.error().front().what;
    return Check(program);
  }
  return Check(program, {.manifest = &parsed.value()});
}

}  // namespace pteproof
