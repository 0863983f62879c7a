// What tests ask of a check's report: findings as short lines, verdicts as a row of words. The
// explanations stay out of the lines, so that a wording can change without a test.
#ifndef PTEPROOF_TESTS_SUPPORT_REPORT_QUERIES_H_
#define PTEPROOF_TESTS_SUPPORT_REPORT_QUERIES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

// "error plan-overlap forward#1 v2 v4 bank 1 [64,96)": severity, rule, method, instruction, values,
// place. Then " under share-all" where it does not hold under every policy, " undecided" and
// " suppressed" where they apply. What a finding does not have is left out.
[[nodiscard]] std::string LineOf(const Finding& finding);

// The same with other words for values than their numbers.
[[nodiscard]] std::string LineOf(const Finding& finding,
                                 const std::function<std::string(int32_t)>& word_of);

// All findings, in the report's order. Of several instances of one cause each has a line.
[[nodiscard]] std::vector<std::string> LinesOf(const Report& report);

// The findings of one rule.
[[nodiscard]] std::vector<std::string> LinesOf(const Report& report, std::string_view rule);

// The findings that change a verdict.
[[nodiscard]] std::vector<std::string> TroubleOf(const Report& report);

// The explanation of the rule's first finding; empty without one.
[[nodiscard]] std::string ExplanationOf(const Report& report, std::string_view rule);

// The fix of the rule's first finding; empty without one.
[[nodiscard]] std::string FixOf(const Report& report, std::string_view rule);

// How long the lines of an explanation are.
[[nodiscard]] std::vector<size_t> LineLengths(std::string_view explanation);

// "safe unsafe unsafe": under private, share-1-2 and share-all.
[[nodiscard]] std::string VerdictRow(const Report& report);

// The same of all checkers, which must agree on the program.
[[nodiscard]] std::string AgreedRow(const Program& program);

// The same of the proof alone.
[[nodiscard]] std::string ProvedRow(const Program& program, const Manifest* manifest = nullptr);

// Checks with the manifest of that text, which must be a good one.
[[nodiscard]] Report CheckWith(const Program& program, std::string_view manifest);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_REPORT_QUERIES_H_
