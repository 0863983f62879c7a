// One case judged in every way: what the check says of it, and who does not agree.
#ifndef PTEPROOF_TESTS_CASES_JUDGE_CASE_H_
#define PTEPROOF_TESTS_CASES_JUDGE_CASE_H_

#include <string>
#include <vector>

#include "pteproof/result.h"
#include "tests/cases/case_file.h"

namespace pteproof::cases {

struct OutcomeLine {
  std::string text;
  std::string says;  // explanation and fix
};

struct Outcome {
  std::string verdict;  // one word if all policies have it, else one for each
  std::vector<OutcomeLine> lines;
};

struct JudgedCase {
  Outcome outcome;
  std::vector<std::string> disagreements;  // of the ways of judging, a line each
};

// Errors: the program or the manifest is refused.
[[nodiscard]] Result<JudgedCase, std::vector<CaseError>> JudgeCase(const Case& given);

// Where the outcome is not as expected, a line each.
[[nodiscard]] std::vector<CaseError> Unexpected(const Expectation& expected,
                                                const Outcome& outcome);

// The text of the file with what comes out as expectations. `outcomes` are those of its revisions.
// Texts that no finding says any more are left out and told of.
[[nodiscard]] std::string Updated(const CaseFile& file, const std::vector<Outcome>& outcomes,
                                  std::vector<CaseError>& told);

}  // namespace pteproof::cases

#endif  // PTEPROOF_TESTS_CASES_JUDGE_CASE_H_
