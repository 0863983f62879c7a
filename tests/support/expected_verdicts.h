// What a collection of real files says of itself (EXPECTED.json, explanations), and where a report
// says something else. Knows nothing of how reports are made.
#ifndef PTEPROOF_TESTS_SUPPORT_EXPECTED_VERDICTS_H_
#define PTEPROOF_TESTS_SUPPORT_EXPECTED_VERDICTS_H_

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/report.h"
#include "tests/support/told_places.h"

namespace pteproof {

// Indexed by Policy; empty: not judged.
using ExpectedRow = std::array<std::optional<Verdict>, kPolicyCount>;
// Any of these rules will do.
using RuleChoice = std::vector<std::string>;

struct ExpectedFile {
  bool malformed = false;
  ExpectedRow alone;
  ExpectedRow with_manifest;
  std::vector<RuleChoice> rules;
  std::vector<RuleChoice> rules_with_manifest;
};

using Expectations = std::map<std::string, ExpectedFile>;  // by path below the root

// EXPECTED.json of a root. A file that is not there, or says what this does not know, is a test
// failure.
[[nodiscard]] Expectations ReadExpectations(const std::filesystem::path& root);

// Explanations by case name: from STORIES.json of the root where there is one, else from the
// recordings (bugs/CASE/calls.json).
[[nodiscard]] std::map<std::string, std::string> ReadExplanations(
    const std::filesystem::path& root);

// Where the report of a file that was read disagrees; a null `expected` stands for a file that is
// not listed. What is expected alone holds with the manifest too, unless the manifest changes it.
[[nodiscard]] std::vector<std::string> Disagreements(const ExpectedFile* expected,
                                                     const Report& report, bool with_manifest);

// The places of an explanation at which no finding of the admitted rules stands, one line of words
// each.
[[nodiscard]] std::vector<std::string> Untold(std::span<const ToldPlace> places,
                                              std::span<const RuleChoice> choices,
                                              const Report& report);

// The findings in one line each: rule, severity, method, instruction, bank and bytes.
[[nodiscard]] std::string Brief(const std::vector<Finding>& findings);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_EXPECTED_VERDICTS_H_
