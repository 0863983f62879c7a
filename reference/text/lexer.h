// Cuts the text form into tokens, one at a time. Knows words, numbers and signs, no grammar.
#ifndef PTEPROOF_REFERENCE_TEXT_LEXER_H_
#define PTEPROOF_REFERENCE_TEXT_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pteproof::text {

enum class TokenKind : uint8_t {
  kEnd,
  kBad,       // `text` says what is wrong
  kWord,      // method, n, float32
  kOperator,  // aten::add.out
  kValue,     // %x: `text` is without the sign
  kBuffer,    // @total: likewise
  kInteger,   // 12
  kFloat,     // 1.5, 1e3
  kBits,      // 0x7f
  kText,      // "sram": with its quotes
  kSign,      // ( ) { } [ ] , : = + - * ..
};

// From 1; columns count characters (of UTF-8).
struct Position {
  int line = 1;
  int column = 1;

  bool operator==(const Position&) const = default;
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  Position at;
};

// A place in the text; a copy can be gone back to.
struct Lexer {
  std::string_view rest;  // what has not been read
  Position at;

  // The next token, after blanks and comments. After kEnd and kBad comes the same again.
  [[nodiscard]] Token Next();
};

}  // namespace pteproof::text

#endif  // PTEPROOF_REFERENCE_TEXT_LEXER_H_
