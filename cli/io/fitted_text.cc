#include <fmt/format.h>

#include <algorithm>

#include "cli/io/terminal.h"

namespace pteproof {
namespace {

// One line's words.
std::string WrappedLine(std::string_view text, size_t width, std::string_view indent) {
  std::string wrapped;
  std::string line;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (!line.empty() && line.size() + 1 + end > width) {
      wrapped += fmt::format("{}{}\n", indent, line);
      line.clear();
    }
    line += fmt::format("{}{}", line.empty() ? "" : " ", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped + fmt::format("{}{}\n", indent, line);
}

}  // namespace

std::string Wrapped(std::string_view text, size_t width, std::string_view indent) {
  std::string wrapped;
  while (true) {
    const size_t end = text.find('\n');
    wrapped += WrappedLine(text.substr(0, end), width, indent);
    if (end == std::string_view::npos) return wrapped;
    text.remove_prefix(end + 1);
  }
}

std::string ShortPath(std::string_view path, size_t longest) {
  constexpr std::string_view kGap = "...";
  if (path.size() <= longest) return std::string(path);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.size() + kGap.size() + 1 > longest) {
    size_t start = path.size() - (longest - kGap.size());
    while (start < path.size() && (static_cast<unsigned char>(path[start]) & 0xC0U) == 0x80U) {
      ++start;  // not within a character
    }
    return fmt::format("{}{}", kGap, path.substr(start));
  }
  const size_t room = longest - name.size() - kGap.size() - 1;
  std::string_view head = path.substr(0, room);
  head = head.substr(0, head.rfind('/') + 1);  // whole folders
  return fmt::format("{}{}/{}", head, kGap, name);
}

}  // namespace pteproof
