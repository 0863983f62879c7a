#include "cli/patch/python_statement.h"

#include <algorithm>

namespace pteproof {
namespace {

constexpr std::string_view kOpening = "([{";
constexpr std::string_view kClosing = ")]}";

// The place behind a string that begins at `at`; npos: it does not end. Prefixes are passed over:
// a backslash keeps the next character in raw strings, too.
size_t BehindString(std::string_view text, size_t at) {
  const char quote = text[at];
  const bool is_long = text.size() - at > 2 && text[at + 1] == quote && text[at + 2] == quote;
  const std::string_view mark = text.substr(at, is_long ? 3 : 1);
  for (size_t i = at + mark.size(); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (!is_long && text[i] == '\n') {
      return std::string_view::npos;
    } else if (text.substr(i, mark.size()) == mark) {
      return i + mark.size();
    }
  }
  return std::string_view::npos;
}

// Reads character by character; brackets that are open keep a statement going at a line's end.
class StatementReader {
 public:
  explicit StatementReader(std::string_view text) : text_(text) {}

  std::optional<PythonStatement> Read() {
    size_t at = 0;
    while (at < text_.size() && !(text_[at] == '\n' && open_.empty())) {
      at = Behind(at);
      if (at == std::string_view::npos) return std::nullopt;
    }
    if (!open_.empty() || found_.end == 0) return std::nullopt;
    found_.last_line = static_cast<size_t>(std::ranges::count(text_.substr(0, found_.end), '\n'));
    return found_;
  }

 private:
  // The place behind the token at `at`; npos: no statement of this kind.
  size_t Behind(size_t at) {
    const char c = text_[at];
    if (c == '#') return std::min(text_.find('\n', at), text_.size());
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return at + 1;
    size_t behind = at + 1;
    if (c == '"' || c == '\'') {
      behind = BehindString(text_, at);
      if (behind == std::string_view::npos) return behind;
    } else if (c == '\\') {  // the line goes on
      behind = text_.find('\n', at);
      if (behind == std::string_view::npos) return behind;
      return behind + 1;
    } else if (c == ';' && open_.empty()) {
      return std::string_view::npos;
    } else if (kOpening.find(c) != std::string_view::npos) {
      open_.push_back(at);
    } else if (const size_t kind = kClosing.find(c); kind != std::string_view::npos) {
      if (open_.empty() || text_[open_.back()] != kOpening[kind]) return std::string_view::npos;
      found_.brackets.push_back({open_.back(), at});
      open_.pop_back();
    }
    found_.end = behind;
    return behind;
  }

  std::string_view text_;
  std::vector<size_t> open_;
  PythonStatement found_;
};

}  // namespace

std::optional<PythonStatement> ReadStatement(std::string_view text) {
  return StatementReader(text).Read();
}

}  // namespace pteproof
