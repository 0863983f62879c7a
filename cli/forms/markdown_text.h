// Text from files in Markdown: no markup, no mentions, no HTML of its own.
#ifndef PTEPROOF_CLI_FORMS_MARKDOWN_TEXT_H_
#define PTEPROOF_CLI_FORMS_MARKDOWN_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "cli/io/quote.h"

namespace pteproof {

// As code, also within a table.
[[nodiscard]] std::string MarkdownCode(std::string_view text, size_t longest = kLongestName);

// A block of code. Its lines are made harmless.
[[nodiscard]] std::string MarkdownBlock(std::string_view text);

// "| a | b |" and a newline.
[[nodiscard]] std::string MarkdownRow(const std::vector<std::string>& cells);

// The row of headings, and the line under it: the first `left` columns to the left, the others to
// the right.
[[nodiscard]] std::string MarkdownHead(const std::vector<std::string>& cells, size_t left);

// "1,234,567".
[[nodiscard]] std::string DigitGroups(uint64_t number);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_FORMS_MARKDOWN_TEXT_H_
