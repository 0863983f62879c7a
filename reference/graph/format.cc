#include "reference/graph/format.h"

#include <algorithm>

#include "reference/graph/print.h"

namespace pteproof::graph {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The comment lines before anything else, without blanks around them.
std::string HeaderOf(std::string_view text) {
  std::string header;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    if (line.empty()) continue;
    if (line.front() != '#') break;
    header += std::string(line) + "\n";
  }
  return header;
}

}  // namespace

Result<std::string, ParseError> Format(std::string_view text) {
  const auto module = Parse(text, WithoutData);
  if (!module.ok()) return module.error();
  const std::string body = Print(module.value());
  std::string header = HeaderOf(text);
  if (!header.empty() && !body.empty()) header += "\n";
  return header + body;
}

}  // namespace pteproof::graph
