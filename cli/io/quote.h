// Makes names that come from files harmless on a terminal: no control characters, no endless lines.
#ifndef PTEPROOF_CLI_IO_QUOTE_H_
#define PTEPROOF_CLI_IO_QUOTE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace pteproof {

inline constexpr size_t kLongestName = 120;  // bytes; fits a line, and few real names are longer
inline constexpr size_t kLongestLine = 600;  // bytes; an explanation's line holds some names

// `text` on one line: control characters, characters that turn the writing direction, and bytes
// that are no UTF-8 appear as \n, \x1b or \u202e, a backslash as \\. What is longer than `longest`
// bytes is cut and ends in "...".
[[nodiscard]] std::string Quote(std::string_view text, size_t longest = kLongestName);

// "model.pte" of "folder/model.pte".
[[nodiscard]] inline std::string_view FileNameIn(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// A path so, but of a longer one folders in its middle are left out: the file's name stays.
[[nodiscard]] std::string QuotePath(std::string_view path, size_t longest = kLongestName);

// A path as a word of a shell's command line: quoted if it has to be, and no flag.
[[nodiscard]] std::string ShellWord(std::string_view path);

// `text` with such characters and bytes escaped, but for line ends and backslashes: of texts that
// hold quoted names already.
[[nodiscard]] std::string Harmless(std::string_view text);

// Each line of `text` after `indent`, made harmless, and ending in a newline.
[[nodiscard]] std::string QuoteLines(std::string_view text, std::string_view indent);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_QUOTE_H_
