// Sizes: sums of products of numbers, dims and functions of sizes. No parentheses around sums, so
// that a text never multiplies out to something much longer than itself.
#include <algorithm>
#include <charconv>
#include <limits>

#include "reference/graph/limits.h"
#include "reference/graph/parser.h"

namespace pteproof::graph {
namespace {

constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

// A size with bounds on what it takes: a function may turn out to be a sum (min(a, a + b) is a), so
// that products of functions can grow.
struct Bounded {
  SizeExpr size;
  int64_t terms = 1;       // of the sum
  int64_t length = 1;      // names and numbers in all terms
  uint64_t magnitude = 0;  // of coefficients, all added up: at most kMost, so nothing saturates
};

bool FailNumber(Parser& parser, Position at) {
  return parser.Fail(at, "a number of this size exceeds 64 bits");
}

bool CheckLength(Parser& parser, Position at, const Bounded& result) {
  if (result.length <= kLongestSize && result.terms <= kLongestSize) return true;
  return parser.Fail(at, "this size is too long: its polynomial has more than " +
                             std::to_string(kLongestSize) + " names and numbers");
}

// a * b, a + b.
bool Multiply(Parser& parser, Position at, Bounded& a, const Bounded& b) {
  Bounded product;
  product.terms = a.terms * b.terms;
  product.length = a.length * b.terms + b.length * a.terms;
  if (__builtin_mul_overflow(a.magnitude, b.magnitude, &product.magnitude) ||
      product.magnitude > kMost) {
    return FailNumber(parser, at);
  }
  if (!CheckLength(parser, at, product)) return false;
  product.size = a.size * b.size;
  a = std::move(product);
  return true;
}

bool Add(Parser& parser, Position at, Bounded& a, const Bounded& b) {
  Bounded sum;
  sum.terms = a.terms + b.terms;
  sum.length = a.length + b.length;
  sum.magnitude = a.magnitude + b.magnitude;  // both at most kMost: no wrap
  if (sum.magnitude > kMost) return FailNumber(parser, at);
  if (!CheckLength(parser, at, sum)) return false;
  sum.size = a.size + b.size;
  a = std::move(sum);
  return true;
}

bool ParseSum(Parser& parser, int depth, Bounded& sum);

using Function = SizeExpr (*)(const SizeExpr&, const SizeExpr&);

Function FunctionNamed(std::string_view name) {
  if (name == "floordiv") {
    return [](const SizeExpr& a, const SizeExpr& b) { return FloorDiv(a, b); };
  }
  if (name == "mod") return [](const SizeExpr& a, const SizeExpr& b) { return Mod(a, b); };
  if (name == "min") return [](const SizeExpr& a, const SizeExpr& b) { return Min(a, b); };
  if (name == "max") return [](const SizeExpr& a, const SizeExpr& b) { return Max(a, b); };
  return nullptr;
}

// "(a, b)" after the function's name.
bool ParseFunction(Parser& parser, int depth, Function function, Bounded& result) {
  const Position at = parser.token.at;
  if (depth == kDeepestSize) {
    return parser.FailHere("a size is nested deeper than " + std::to_string(kDeepestSize));
  }
  Bounded a;
  Bounded b;
  if (!parser.ExpectSign("(") || !ParseSum(parser, depth + 1, a)) return false;
  if (!parser.ExpectSign(",") || !ParseSum(parser, depth + 1, b)) return false;
  result.terms = std::max(a.terms, b.terms);
  result.length = a.length + b.length + 1;
  result.magnitude = std::max({a.magnitude, b.magnitude, uint64_t{1}});
  if (!CheckLength(parser, at, result)) return false;
  result.size = function(a.size, b.size);
  return parser.ExpectSign(")");
}

bool ParseFactor(Parser& parser, int depth, Bounded& factor) {
  const Token token = parser.token;
  if (token.kind == TokenKind::kInteger) {
    const auto read = std::from_chars(token.text.begin(), token.text.end(), factor.magnitude);
    if (read.ec != std::errc() || factor.magnitude > kMost) return FailNumber(parser, token.at);
    factor.size = static_cast<int64_t>(factor.magnitude);
    return parser.Advance();
  }
  if (token.kind != TokenKind::kWord) return parser.Expected("a size");
  if (const Function function = FunctionNamed(token.text)) {
    return parser.Advance() && ParseFunction(parser, depth, function, factor);
  }
  const auto dim = parser.dim_ids.find(token.text);
  if (dim == parser.dim_ids.end()) {
    return parser.FailHere("'" + std::string(token.text) + "' is not a dim of this method");
  }
  factor.size = SizeExpr::Symbol(dim->second);
  factor.magnitude = 1;
  return parser.Advance();
}

bool ParseTerm(Parser& parser, int depth, bool negative, Bounded& term) {
  if (!ParseFactor(parser, depth, term)) return false;
  while (parser.IsSign("*")) {
    const Position at = parser.token.at;
    Bounded factor;
    if (!parser.Advance() || !ParseFactor(parser, depth, factor)) return false;
    if (!Multiply(parser, at, term, factor)) return false;
  }
  if (negative) term.size = SizeExpr(-1) * term.size;
  return true;
}

bool ParseSum(Parser& parser, int depth, Bounded& sum) {
  const bool minus = parser.IsSign("-");
  if (minus && !parser.Advance()) return false;
  if (!ParseTerm(parser, depth, minus, sum)) return false;
  while (parser.IsSign("+") || parser.IsSign("-")) {
    const Position at = parser.token.at;
    const bool negative = parser.IsSign("-");
    Bounded term;
    if (!parser.Advance() || !ParseTerm(parser, depth, negative, term)) return false;
    if (!Add(parser, at, sum, term)) return false;
  }
  return true;
}

}  // namespace

bool ParseSize(Parser& parser, SizeExpr& size) {
  constexpr std::string_view kLeastDigits = "9223372036854775808";
  if (parser.IsSign("-")) {
    // The least number has no positive twin; it stands alone.
    Lexer ahead = parser.lexer;
    const Token number = ahead.Next();
    if (number.kind == TokenKind::kInteger && number.text == kLeastDigits) {
      size = std::numeric_limits<int64_t>::min();
      return parser.Advance() && parser.Advance();
    }
  }
  Bounded sum;
  if (!ParseSum(parser, 0, sum)) return false;
  size = std::move(sum.size);
  return true;
}

}  // namespace pteproof::graph
