#include "cli/io/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cli/io/terminal.h"

namespace pteproof {
namespace {

constexpr size_t kLongestEscape = 8;  // of one byte of a text

struct Character {
  uint32_t code = 0;
  size_t length = 1;
};

// Length of the sequence that a first byte announces, 0 when none may begin so.
size_t SequenceLength(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

// The first character of `text`, which is not empty; nothing when its bytes are no UTF-8.
std::optional<Character> FirstCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = SequenceLength(first);
  if (length == 0 || length > text.size()) return std::nullopt;
  if (length == 1) return Character{first, 1};
  uint32_t code = first & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return std::nullopt;
    code = (code << 6U) | (next & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return std::nullopt;
  return Character{code, length};
}

// Characters that move the cursor, change the writing direction or cannot be seen.
bool IsHarmful(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

std::string Escaped(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  return code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

// The first character of `text`, taken from it; escaped unless it is harmless.
std::string TakeShown(std::string_view& text) {
  const std::optional<Character> character = FirstCharacter(text);
  std::string shown(text.substr(0, character ? character->length : 1));
  if (!character) {
    shown = fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
  } else if (IsHarmful(character->code)) {
    shown = Escaped(character->code);
  }
  text.remove_prefix(character ? character->length : 1);
  return shown;
}

}  // namespace

std::string Quote(std::string_view text, size_t longest) {
  std::string quoted;
  while (!text.empty()) {
    const bool is_backslash = text[0] == '\\';
    std::string shown = TakeShown(text);
    if (is_backslash) shown = "\\\\";
    if (quoted.size() + shown.size() > longest) return quoted + "...";
    quoted += shown;
  }
  return quoted;
}

std::string Harmless(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    if (text[0] == '\n') {
      shown += '\n';
      text.remove_prefix(1);
    } else {
      shown += TakeShown(text);
    }
  }
  return shown;
}

std::string QuotePath(std::string_view path, size_t longest) {
  return ShortPath(Quote(path, path.size() * kLongestEscape), longest);
}

std::string ShellWord(std::string_view path) {
  constexpr std::string_view kPlain = "_-./+=:,@%";
  const std::string name = (path.starts_with('-') ? "./" : "") + std::string(path);
  const bool plain = std::ranges::all_of(name, [&](char c) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_digit || is_letter || kPlain.find(c) != std::string_view::npos;
  });
  if (plain && !name.empty()) return name;
  std::string word = "'";
  for (const char c : Quote(name, name.size() * kLongestEscape)) {
    word += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return word + "'";
}

std::string QuoteLines(std::string_view text, std::string_view indent) {
  std::string quoted;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    quoted += indent;
    quoted += Quote(text.substr(0, end), kLongestLine);
    quoted += '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return quoted;
}

}  // namespace pteproof
