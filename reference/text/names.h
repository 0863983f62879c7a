// Which texts are names in the text forms of Modules and programs.
#ifndef PTEPROOF_REFERENCE_TEXT_NAMES_H_
#define PTEPROOF_REFERENCE_TEXT_NAMES_H_

#include <string_view>

namespace pteproof::text {

// What names begin with, and what follows.
[[nodiscard]] bool IsNameStart(char c);
[[nodiscard]] bool IsNameInside(char c);

// A letter or `_`, then letters, digits, `_` and `.`.
[[nodiscard]] bool IsIdentifier(std::string_view text);

// The same, but the first may be a digit: "0.weight", as PyTorch names the parts of a list.
[[nodiscard]] bool IsBufferName(std::string_view text);

// Identifiers joined by `::`, at least two: "aten::add.out".
[[nodiscard]] bool IsOperatorName(std::string_view text);

}  // namespace pteproof::text

#endif  // PTEPROOF_REFERENCE_TEXT_NAMES_H_
