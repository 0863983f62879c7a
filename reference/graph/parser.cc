#include "reference/graph/parser.h"

#include <charconv>

#include "reference/graph/literals.h"

namespace pteproof::graph {
namespace {

constexpr size_t kLongestQuote = 40;

std::string QuoteOf(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  std::string text(token.text.substr(0, kLongestQuote));
  if (text.size() < token.text.size()) text += "...";
  if (token.kind == TokenKind::kValue) return "'%" + text + "'";
  if (token.kind == TokenKind::kBuffer) return "'@" + text + "'";
  return token.kind == TokenKind::kText ? text : "'" + text + "'";
}

}  // namespace

bool Parser::Fail(Position at, std::string message) {
  if (!error) error = ParseError{at.line, at.column, std::move(message)};
  return false;
}

bool Parser::Expected(std::string_view what) {
  return FailHere("expected " + std::string(what) + ", found " + QuoteOf(token));
}

bool Parser::Advance() {
  token = lexer.Next();
  return token.kind != TokenKind::kBad || FailHere(std::string(token.text));
}

bool Parser::ExpectSign(std::string_view sign) {
  return IsSign(sign) ? Advance() : Expected("'" + std::string(sign) + "'");
}

bool Parser::ExpectWord(std::string_view word) {
  return IsWord(word) ? Advance() : Expected("'" + std::string(word) + "'");
}

bool Parser::ExpectName(TokenKind kind, std::string_view what, std::string_view& name) {
  if (token.kind != kind) return Expected(what);
  name = token.text;
  return Advance();
}

bool Parser::ExpectCount(std::string_view what, int64_t most, int64_t& count) {
  if (token.kind != TokenKind::kInteger) return Expected(what);
  const auto read = std::from_chars(token.text.begin(), token.text.end(), count);
  if (read.ec != std::errc() || count > most) {
    return FailHere(std::string(what) + " is at most " + std::to_string(most));
  }
  return Advance();
}

bool Parser::ExpectQuoted(std::string_view what, std::string& text) {
  if (token.kind != TokenKind::kText) return Expected(what);
  auto unquoted = UnquotedText(token.text);
  if (!unquoted) return FailHere("the text has an escape other than \\n \\t \\\" \\\\ \\x7f");
  text = *std::move(unquoted);
  return Advance();
}

ValueId Parser::NewValue(std::string_view name, ValueType type) {
  method->values.push_back(std::move(type));
  value_names.back().push_back("%" + std::string(name));
  return static_cast<ValueId>(method->values.size()) - 1;
}

bool Parser::Bind(Position at, std::string_view name, ValueId value) {
  auto& values = positions().values;
  values.resize(std::max(values.size(), static_cast<size_t>(value) + 1));
  values[static_cast<size_t>(value)] = at;
  if (scopes.back().emplace(name, value).second) return true;
  return Fail(at, "%" + std::string(name) + " is defined twice");
}

bool Parser::ExpectValue(ValueId& value) {
  if (token.kind != TokenKind::kValue) return Expected("a value ('%...')");
  const auto found = scopes.back().find(token.text);
  if (found != scopes.back().end()) {
    value = found->second;
    return Advance();
  }
  for (const Scope& scope : scopes) {
    if (!scope.contains(token.text)) continue;
    return FailHere(QuoteOf(token) + " belongs to another region; pass it as an operand");
  }
  return FailHere(QuoteOf(token) + " is not defined");
}

bool Parser::ExpectBuffer(int32_t& buffer) {
  if (token.kind != TokenKind::kBuffer) return Expected("a buffer ('@...')");
  const auto found = buffer_ids.find(token.text);
  if (found == buffer_ids.end()) return FailHere("unknown buffer " + QuoteOf(token));
  buffer = found->second;
  return Advance();
}

}  // namespace pteproof::graph
