// How wide what people read may be.
#ifndef PTEPROOF_CLI_IO_TERMINAL_H_
#define PTEPROOF_CLI_IO_TERMINAL_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace pteproof {

inline constexpr size_t kPlainColumns = 100;  // where nothing says how wide the terminal is

// The columns of the terminal that standard output is, else kPlainColumns; the environment's
// COLUMNS counts before both.
[[nodiscard]] size_t TerminalColumns();

// The same, and no limit where nothing says how wide it is: for tables, which programs may read.
[[nodiscard]] size_t TableColumns();

// Words of `text` on lines of at most `width` columns, each after `indent` and ending in a newline.
// A longer word has a line of its own. Line ends in `text` stay.
[[nodiscard]] std::string Wrapped(std::string_view text, size_t width, std::string_view indent);

// At most `longest` characters of a path, cut in the middle of its folders: its first folder and
// the file's name stay, the latter from its end if it is longer still.
[[nodiscard]] std::string ShortPath(std::string_view path, size_t longest);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_TERMINAL_H_
