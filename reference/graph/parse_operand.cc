// What nodes are given.
#include <limits>

#include "reference/graph/limits.h"
#include "reference/graph/parser.h"
#include "reference/text/literals.h"

namespace pteproof::graph {
namespace {

bool ParseFloat(Parser& parser, bool negative, Operand& operand) {
  double value = std::numeric_limits<double>::infinity();
  if (parser.IsWord("nan")) value = std::numeric_limits<double>::quiet_NaN();
  if (parser.token.kind == TokenKind::kFloat) {
    const auto read = text::RealOf(parser.token.text);
    if (!read) return parser.FailHere("the number is outside the range of float64");
    value = *read;
  }
  operand.held = negative ? -value : value;
  return parser.Advance();
}

bool IsFloatToken(const Token& token) {
  return token.kind == TokenKind::kFloat ||
         (token.kind == TokenKind::kWord && (token.text == "inf" || token.text == "nan"));
}

// Integers and sizes, and floats with a sign.
bool ParseNumber(Parser& parser, Operand& operand) {
  if (IsFloatToken(parser.token)) return ParseFloat(parser, false, operand);
  if (parser.IsSign("-")) {
    Lexer ahead = parser.lexer;
    const Token next = ahead.Next();
    if (IsFloatToken(next) && next.text != "nan") {
      return parser.Advance() && ParseFloat(parser, true, operand);
    }
  }
  SizeExpr size;
  if (!ParseSize(parser, size)) return false;
  operand.held = std::move(size);
  return true;
}

bool ParseOperandList(Parser& parser, int depth, Operand& operand) {
  if (depth == kDeepestList) {
    return parser.FailHere("lists are nested deeper than " + std::to_string(kDeepestList));
  }
  OperandList list;
  const auto item = [&] { return ParseOperand(parser, depth + 1, list.emplace_back()); };
  if (!parser.Advance() || !ParseList(parser, "]", item)) return false;
  operand.held = std::move(list);
  return true;
}

}  // namespace

bool ParseOperand(Parser& parser, int depth, Operand& operand) {
  const TokenKind kind = parser.token.kind;
  if (kind == TokenKind::kValue) {
    Operand::Value value;
    if (!parser.ExpectValue(value.id)) return false;
    operand.held = value;
    return true;
  }
  if (kind == TokenKind::kText) {
    return parser.ExpectQuoted("a text", operand.held.emplace<std::string>());
  }
  if (parser.IsSign("[")) return ParseOperandList(parser, depth, operand);
  if (parser.IsWord("None")) return parser.Advance();
  if (parser.IsWord("true") || parser.IsWord("false")) {
    operand.held = parser.IsWord("true");
    return parser.Advance();
  }
  const bool number = kind == TokenKind::kInteger || kind == TokenKind::kFloat ||
                      kind == TokenKind::kWord || parser.IsSign("-");
  return number ? ParseNumber(parser, operand) : parser.Expected("an operand");
}

}  // namespace pteproof::graph
