#include "cli/io/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace pteproof {
namespace {

constexpr size_t kLeastColumns = 40;
constexpr size_t kMostColumns = 400;

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

size_t TerminalColumns() {
  if (const char* stated = std::getenv("COLUMNS"); stated != nullptr) {
    const std::string_view text(stated);
    size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error == std::errc() && end == text.data() + text.size() && columns > 0) {
      return std::clamp(columns, kLeastColumns, kMostColumns);
    }
  }
  winsize size{};
  const bool is_terminal =
      isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? std::clamp<size_t>(size.ws_col, kLeastColumns, kMostColumns) : kPlainColumns;
}

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
    return fmt::format("{}{}", kGap, path.substr(path.size() - (longest - kGap.size())));
  }
  const size_t room = longest - name.size() - kGap.size() - 1;
  std::string_view head = path.substr(0, room);
  head = head.substr(0, head.rfind('/') + 1);  // whole folders
  return fmt::format("{}{}/{}", head, kGap, name);
}

}  // namespace pteproof
