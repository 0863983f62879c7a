// A statement of Python, as far as a patch needs it: its end, and its brackets.
#ifndef PTEPROOF_CLI_PATCH_PYTHON_STATEMENT_H_
#define PTEPROOF_CLI_PATCH_PYTHON_STATEMENT_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace pteproof {

// A pair of brackets: the places of both.
struct BracketPair {
  size_t open = 0;
  size_t close = 0;
};

// A statement from its first line on, which may be several lines long. Brackets in strings and in
// comments are none.
struct PythonStatement {
  size_t end = 0;                     // of its code: behind it lie blanks and a comment at most
  size_t last_line = 0;               // how many line ends lie ahead of `end`
  std::vector<BracketPair> brackets;  // in the order in which they close
};

// None: the text ends, or a bracket closes, too early; or a line holds more than one statement.
[[nodiscard]] std::optional<PythonStatement> ReadStatement(std::string_view text);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_PATCH_PYTHON_STATEMENT_H_
