// One case judged in every way: what the check says of it, and who does not agree.
#ifndef PTEPROOF_TESTS_CASES_JUDGE_CASE_H_
#define PTEPROOF_TESTS_CASES_JUDGE_CASE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/result.h"
#include "tests/cases/case_file.h"

namespace pteproof::cases {

struct OutcomeLine {
  std::string text;
  std::string says = {};                       // explanation and fix
  std::map<std::string, int32_t> values = {};  // by name, of the finding's method before others
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

// What is wrong with one revision of a file of that name: nothing, if all is as the file says.
[[nodiscard]] std::vector<std::string> FailuresOf(std::string_view text, size_t revision,
                                                  std::string_view file);

// The text of a file with what comes out as expectations; nothing, if a revision cannot be judged.
// `told`: why not, and which texts no finding says any more, so that they are left out.
[[nodiscard]] std::optional<std::string> Updated(std::string_view text,
                                                 std::vector<CaseError>& told);

}  // namespace pteproof::cases

#endif  // PTEPROOF_TESTS_CASES_JUDGE_CASE_H_
