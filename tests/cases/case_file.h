// Files of cases: a program as text, facts beside it, and what must come out. The form is described
// in tests/cases/README.md.
#ifndef PTEPROOF_TESTS_CASES_CASE_FILE_H_
#define PTEPROOF_TESTS_CASES_CASE_FILE_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/check.h"
#include "pteproof/result.h"

namespace pteproof::cases {

// Lines and columns count from 1.
struct CaseError {
  int line = 1;
  int column = 1;
  std::string what;
};

// "broken.case:3:7: what".
[[nodiscard]] std::string TextOf(const CaseError& error, std::string_view file);

struct Revision {
  std::string name;  // empty: the file has no revisions
  int line = 1;
  std::map<std::string, std::string> values;  // what `$name` stands for
};

struct Says {
  std::string text;
  int line = 1;
};

struct ExpectedLine {
  std::string text;  // `...` stands for any characters
  int line = 1;
  std::vector<Says> says;
};

struct Expectation {
  std::vector<std::string> revisions;  // none: the file has no revisions
  int line = 1;
  std::string verdict;      // one word, or one for each policy
  int verdict_line = 1;     // 0: there is none
  std::vector<Says> loose;  // said by no finding in particular: those that --update has to place
  std::vector<ExpectedLine> lines;
};

// A way of judging that may answer otherwise than the check.
struct Otherwise {
  std::string way;
  std::string row;  // its verdicts, if the case states them
  std::string reason;
  int line = 1;
};

struct CaseFile {
  std::vector<std::string> lines;
  std::vector<Revision> revisions;  // at least one
  // First line and the line behind the last one, from 0; equal: not there.
  std::pair<size_t, size_t> head;
  std::pair<size_t, size_t> manifest;
  std::pair<size_t, size_t> program;
  std::vector<Expectation> expectations;
  size_t expectations_begin = 0;
};

// A program and what must come out of it: one revision of a file.
struct Case {
  bool all_first = false;
  Use use = Use::kInTurn;
  bool names_matter = true;
  std::vector<std::string> lists;  // rules, or all, banks, overlays, assumptions, orders
  std::vector<Otherwise> otherwise;
  std::string program;  // with the line numbers of the file
  std::optional<std::string> manifest;
  int manifest_line = 1;    // of its first line
  Expectation expectation;  // empty, if the file has none for it yet
};

[[nodiscard]] Result<CaseFile, CaseError> ReadCaseFile(std::string_view text);

// One revision of it: its lines are chosen, and its values put in.
[[nodiscard]] Result<Case, CaseError> CaseOf(const CaseFile& file, size_t revision);

// Whether `text` is `pattern`, in which `...` stands for any characters.
[[nodiscard]] bool Matches(std::string_view pattern, std::string_view text);

}  // namespace pteproof::cases

#endif  // PTEPROOF_TESTS_CASES_CASE_FILE_H_
