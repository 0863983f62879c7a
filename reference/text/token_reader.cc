#include "reference/text/token_reader.h"

#include <charconv>

#include "reference/text/literals.h"

namespace pteproof::text {
namespace {
constexpr size_t kLongestQuote = 40;
}  // namespace

std::string QuoteOf(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  std::string text(token.text.substr(0, kLongestQuote));
  if (text.size() < token.text.size()) text += "...";
  if (token.kind == TokenKind::kValue) return "'%" + text + "'";
  if (token.kind == TokenKind::kBuffer) return "'@" + text + "'";
  return token.kind == TokenKind::kText ? text : "'" + text + "'";
}

bool TokenReader::Fail(Position at, std::string message) {
  if (!error) error = ParseError{at.line, at.column, std::move(message)};
  return false;
}

bool TokenReader::Expected(std::string_view what) {
  return FailHere("expected " + std::string(what) + ", found " + QuoteOf(token));
}

bool TokenReader::Advance() {
  token = lexer.Next();
  return token.kind != TokenKind::kBad || FailHere(std::string(token.text));
}

bool TokenReader::ExpectSign(std::string_view sign) {
  return IsSign(sign) ? Advance() : Expected("'" + std::string(sign) + "'");
}

bool TokenReader::ExpectWord(std::string_view word) {
  return IsWord(word) ? Advance() : Expected("'" + std::string(word) + "'");
}

bool TokenReader::ExpectName(TokenKind kind, std::string_view what, std::string_view& name) {
  if (token.kind != kind) return Expected(what);
  name = token.text;
  return Advance();
}

bool TokenReader::ExpectCount(std::string_view what, int64_t most, int64_t& count) {
  if (token.kind != TokenKind::kInteger) return Expected(what);
  const auto read =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), count);
  if (read.ec != std::errc() || count > most) {
    return FailHere(std::string(what) + " is at most " + std::to_string(most));
  }
  return Advance();
}

bool TokenReader::ExpectQuoted(std::string_view what, std::string& text) {
  if (token.kind != TokenKind::kText) return Expected(what);
  auto unquoted = UnquotedText(token.text);
  if (!unquoted) return FailHere("the text has an escape other than \\n \\t \\\" \\\\ \\x7f");
  text = *std::move(unquoted);
  return Advance();
}

}  // namespace pteproof::text
