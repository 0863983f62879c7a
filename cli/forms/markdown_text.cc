#include "cli/forms/markdown_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pteproof {

std::string MarkdownCode(std::string_view text, size_t longest) {
  std::string code = "`";
  for (const char c : Quote(text, longest)) {
    if (c == '|') code += '\\';  // else it ends a cell
    code += c == '`' ? '\'' : c;
  }
  return code == "`" ? "" : code + "`";
}

std::string MarkdownBlock(std::string_view text) {
  std::string lines = QuoteLines(text, "");
  for (char& c : lines) {
    if (c == '`') c = '\'';  // else it may end the block
  }
  return "```text\n" + lines + "```\n";
}

std::string MarkdownRow(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string MarkdownHead(const std::vector<std::string>& cells, size_t left) {
  std::string rule = "|";
  for (size_t i = 0; i < cells.size(); ++i) rule += i < left ? "---|" : "---:|";
  return MarkdownRow(cells) + rule + "\n";
}

std::string DigitGroups(uint64_t number) {
  constexpr size_t kGroup = 3;
  std::string digits = fmt::to_string(number);
  for (size_t at = digits.size(); at > kGroup; at -= kGroup) digits.insert(at - kGroup, ",");
  return digits;
}

}  // namespace pteproof
