#include "reference/operator_list.h"

#include <algorithm>

namespace pteproof {
namespace {

constexpr std::string_view kBlanks = " \t\r";

size_t BlanksBefore(std::string_view line) {
  return std::min(line.find_first_not_of(kBlanks), line.size());
}

// Drops blanks, and what is before them, from the front of `line`.
bool Skip(std::string_view& line, std::string_view head) {
  if (!line.starts_with(head)) return false;
  line.remove_prefix(head.size());
  line.remove_prefix(BlanksBefore(line));
  return true;
}

// A comment begins with a blank and "#", which no signature has.
std::string_view WithoutComment(std::string_view text) {
  text = text.substr(0, text.find(" #"));
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

std::string_view WithoutQuotes(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::vector<ListedSignature> ReadOperatorList(std::string_view text) {
  std::vector<ListedSignature> list;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  size_t number = 0;
  size_t item = std::string_view::npos;  // the indentation of the item that has a `func:`
  while (!text.empty()) {
    ++number;
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    const size_t indent = BlanksBefore(whole);
    std::string_view line = whole.substr(indent);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#') || line == "---" || line == "operators:") continue;
    if (item != std::string_view::npos && indent > item) continue;
    item = std::string_view::npos;
    if (Skip(line, "- ") && Skip(line, "func:")) item = indent;
    line = WithoutQuotes(WithoutComment(line));
    const auto column = static_cast<size_t>(line.data() - whole.data()) + 1;
    list.push_back({std::string(line), number, column});
  }
  return list;
}

}  // namespace pteproof
