// Reads tokens one by one, for the parsers of Modules and of programs: the current token, what is
// expected there, and the first error.
#ifndef PTEPROOF_REFERENCE_TEXT_TOKEN_READER_H_
#define PTEPROOF_REFERENCE_TEXT_TOKEN_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/text/lexer.h"

namespace pteproof::text {

// Lines and columns count from 1, columns in characters.
struct ParseError {
  int line = 1;
  int column = 1;
  std::string message;

  bool operator==(const ParseError&) const = default;
};

// "'%x'", "the end of the text": for messages.
[[nodiscard]] std::string QuoteOf(const Token& token);

// Every function that reads something returns whether it could; after the first false nothing else
// is read.
struct TokenReader {
  Lexer lexer;
  Token token;  // the next one, not yet consumed
  std::optional<ParseError> error;

  // Remembers the first error. Always false.
  bool Fail(Position at, std::string message);
  bool FailHere(std::string message) { return Fail(token.at, std::move(message)); }
  // "expected ..., found ...".
  bool Expected(std::string_view what);
  // Consumes the token.
  bool Advance();

  [[nodiscard]] bool IsSign(std::string_view sign) const {
    return token.kind == TokenKind::kSign && token.text == sign;
  }
  [[nodiscard]] bool IsWord(std::string_view word) const {
    return token.kind == TokenKind::kWord && token.text == word;
  }
  bool ExpectSign(std::string_view sign);
  bool ExpectWord(std::string_view word);
  // The name of a token of that kind, which `what` describes.
  bool ExpectName(TokenKind kind, std::string_view what, std::string_view& name);
  // An integer without sign; `what` describes it.
  bool ExpectCount(std::string_view what, int64_t most, int64_t& count);
  bool ExpectQuoted(std::string_view what, std::string& text);
};

// Reads items up to the closing sign; the opening one has been consumed.
template <class Item>
bool ParseList(TokenReader& parser, std::string_view close, Item item) {
  if (parser.IsSign(close)) return parser.Advance();
  while (item()) {
    if (parser.IsSign(close)) return parser.Advance();
    if (!parser.IsSign(",")) return parser.Expected("',' or '" + std::string(close) + "'");
    if (!parser.Advance()) return false;
  }
  return false;
}

}  // namespace pteproof::text

#endif  // PTEPROOF_REFERENCE_TEXT_TOKEN_READER_H_
