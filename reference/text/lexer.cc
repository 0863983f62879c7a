#include "reference/text/lexer.h"

#include "reference/text/names.h"

namespace pteproof::text {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

char At(std::string_view text, size_t i) {
  return i < text.size() ? text[i] : '\0';
}

void Skip(Lexer& lexer, size_t bytes) {
  for (const char c : lexer.rest.substr(0, bytes)) {
    if (c == '\n') {
      ++lexer.at.line;
      lexer.at.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++lexer.at.column;
    }
  }
  lexer.rest.remove_prefix(bytes);
}

void SkipBlanks(Lexer& lexer) {
  while (!lexer.rest.empty()) {
    const size_t blanks = lexer.rest.find_first_not_of(" \t\r\n");
    if (blanks != 0) {
      Skip(lexer, blanks == std::string_view::npos ? lexer.rest.size() : blanks);
    } else if (lexer.rest.front() == '#') {
      const size_t end = lexer.rest.find('\n');
      Skip(lexer, end == std::string_view::npos ? lexer.rest.size() : end);
    } else {
      return;
    }
  }
}

size_t NameLength(std::string_view text) {
  size_t length = 0;
  if (IsNameStart(At(text, 0))) {
    while (IsNameInside(At(text, length))) ++length;
  }
  return length;
}

size_t BufferNameLength(std::string_view text) {
  size_t length = 0;
  while (At(text, 0) != '.' && IsNameInside(At(text, length))) ++length;
  return length;
}

size_t DigitsFrom(std::string_view text, size_t from) {
  size_t end = from;
  while (IsDigit(At(text, end))) ++end;
  return end - from;
}

// What a token is and how many bytes it takes.
struct Cut {
  TokenKind kind = TokenKind::kBad;
  size_t length = 0;
  std::string_view fault = {};
};

Cut CutWord(std::string_view text) {
  Cut cut{TokenKind::kWord, NameLength(text)};
  while (text.substr(cut.length).starts_with("::")) {
    const size_t more = NameLength(text.substr(cut.length + 2));
    if (more == 0) return {.fault = "a name must follow '::'"};
    cut.length += 2 + more;
    cut.kind = TokenKind::kOperator;
  }
  return cut;
}

// A dot belongs to a number only with a digit after it: `1..8` is a range.
Cut CutNumber(std::string_view text) {
  if (text.starts_with("0x")) {
    size_t length = 2;
    while (std::string_view("0123456789abcdefABCDEF").find(At(text, length)) !=
           std::string_view::npos) {
      ++length;
    }
    if (length == 2) return {.fault = "hexadecimal digits must follow '0x'"};
    return {TokenKind::kBits, length};
  }
  Cut cut{TokenKind::kInteger, DigitsFrom(text, 0)};
  if (At(text, cut.length) == '.' && IsDigit(At(text, cut.length + 1))) {
    cut = {TokenKind::kFloat, cut.length + 1 + DigitsFrom(text, cut.length + 1)};
  }
  const char e = At(text, cut.length);
  if (e == 'e' || e == 'E') {
    const char sign = At(text, cut.length + 1);
    const size_t digits = cut.length + (sign == '+' || sign == '-' ? 2 : 1);
    if (DigitsFrom(text, digits) == 0) return {.fault = "digits must follow the exponent's 'e'"};
    cut = {TokenKind::kFloat, digits + DigitsFrom(text, digits)};
  }
  if (IsNameStart(At(text, cut.length))) return {.fault = "a letter follows the number"};
  return cut;
}

Cut CutText(std::string_view text) {
  for (size_t i = 1; i < text.size() && static_cast<unsigned char>(text[i]) >= ' '; ++i) {
    if (text[i] == '"') return {TokenKind::kText, i + 1};
    if (text[i] == '\\' && static_cast<unsigned char>(At(text, i + 1)) >= ' ') ++i;
  }
  return {.fault = "the text has no closing '\"' on its line"};
}

// After % or @.
Cut CutReference(std::string_view text) {
  const bool value = text.front() == '%';
  size_t length = value ? NameLength(text.substr(1)) : BufferNameLength(text.substr(1));
  if (length == 0 && value) length = DigitsFrom(text, 1);
  if (length == 0) {
    return {.fault = value ? "a name or a number must follow '%'" : "a name must follow '@'"};
  }
  return {value ? TokenKind::kValue : TokenKind::kBuffer, length + 1};
}

Cut CutToken(std::string_view text) {
  const char c = text.front();
  if (IsNameStart(c)) return CutWord(text);
  if (IsDigit(c)) return CutNumber(text);
  if (c == '"') return CutText(text);
  if (c == '%' || c == '@') return CutReference(text);
  if (text.starts_with("..")) return {TokenKind::kSign, 2};
  if (std::string_view("(){}[],:=+-*").find(c) != std::string_view::npos) {
    return {TokenKind::kSign, 1};
  }
  return {.fault = "unexpected character"};
}

}  // namespace

Token Lexer::Next() {
  SkipBlanks(*this);
  Token token;
  token.at = at;
  if (rest.empty()) return token;
  const Cut cut = CutToken(rest);
  token.kind = cut.kind;
  token.text = cut.kind == TokenKind::kBad ? cut.fault : rest.substr(0, cut.length);
  if (cut.kind == TokenKind::kValue || cut.kind == TokenKind::kBuffer) token.text.remove_prefix(1);
  Skip(*this, cut.length);
  return token;
}

}  // namespace pteproof::text
