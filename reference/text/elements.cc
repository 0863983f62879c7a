#include "reference/text/elements.h"

#include <charconv>
#include <limits>

#include "reference/tensor_value.h"
#include "reference/text/literals.h"

namespace pteproof::text {
namespace {

// The kind of literal that elements of this type have, beside bits.
std::string_view Wanted(ScalarType dtype) {
  if (IsFloat(dtype)) return "a float, with a dot or an exponent";
  if (IsInteger(dtype)) return "an integer";
  return dtype == ScalarType::kBool ? "true or false" : "bits ('0x...')";
}

bool StoreFloat(TokenReader& parser, bool negative, TensorValue& element, bool& fits) {
  double value = 0;
  if (parser.IsWord("inf")) {
    value = std::numeric_limits<double>::infinity();
  } else if (parser.IsWord("nan") && !negative) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (parser.token.kind == TokenKind::kFloat) {
    const auto read = RealOf(parser.token.text);
    fits = read.has_value();
    value = read.value_or(0);
  } else {
    return false;
  }
  fits = fits && StoreReal(element, negative ? -value : value);
  return true;
}

bool StoreInt(const Token& token, bool negative, TensorValue& element, bool& fits) {
  if (token.kind != TokenKind::kInteger) return false;
  uint64_t magnitude = 0;
  const auto read = std::from_chars(token.text.begin(), token.text.end(), magnitude);
  fits = read.ec == std::errc() && StoreInteger(element, negative, magnitude);
  return true;
}

// Stores the token in the element; false: it is of another kind.
bool StoreToken(TokenReader& parser, bool negative, TensorValue& element, bool& fits) {
  if (parser.token.kind == TokenKind::kBits && !negative) {
    fits = StoreBits(element, parser.token.text);
    return true;
  }
  if (IsFloat(element.dtype)) return StoreFloat(parser, negative, element, fits);
  if (IsInteger(element.dtype)) return StoreInt(parser.token, negative, element, fits);
  if (element.dtype != ScalarType::kBool || negative) return false;
  if (!parser.IsWord("true") && !parser.IsWord("false")) return false;
  SetInt(element, 0, parser.IsWord("true") ? 1 : 0);
  return true;
}

}  // namespace

bool ParseElement(TokenReader& parser, TensorValue& element) {
  const Position at = parser.token.at;
  const bool negative = parser.IsSign("-");
  if (negative && !parser.Advance()) return false;
  bool fits = true;
  if (!StoreToken(parser, negative, element, fits)) return parser.Expected(Wanted(element.dtype));
  if (!fits)
    return parser.Fail(at,
                       "the number is outside the range of " + std::string(Name(element.dtype)));
  return parser.Advance();
}

bool ParseElements(TokenReader& parser, int64_t elements, TensorValue& value) {
  const Position at = parser.token.at;
  TensorValue element = Zeros(value.dtype, {1});
  int64_t count = 0;
  std::vector<std::byte>& bytes = value.bytes.Own();
  const auto item = [&] {
    if (!ParseElement(parser, element)) return false;
    bytes.insert(bytes.end(), element.bytes.begin(), element.bytes.end());
    ++count;
    return true;
  };
  if (!parser.ExpectSign("[") || !ParseList(parser, "]", item)) return false;
  if (count == elements) return true;
  return parser.Fail(at, "there are " + std::to_string(count) + " values, and the type needs " +
                             std::to_string(elements));
}

}  // namespace pteproof::text
