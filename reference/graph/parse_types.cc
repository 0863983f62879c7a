// Types, and the contents of buffers.
#include <charconv>
#include <limits>

#include "base/checked_math.h"
#include "reference/graph/literals.h"
#include "reference/graph/parser.h"

namespace pteproof::graph {
namespace {

std::optional<NumberType> NumberNamed(std::string_view name) {
  if (name == "int") return NumberType::kInt;
  if (name == "bool") return NumberType::kBool;
  if (name == "real") return NumberType::kReal;
  return std::nullopt;
}

// The kind of literal that elements of this type have, beside bits.
std::string_view Wanted(ScalarType dtype) {
  if (IsFloat(dtype)) return "a float, with a dot or an exponent";
  if (IsInteger(dtype)) return "an integer";
  return dtype == ScalarType::kBool ? "true or false" : "bits ('0x...')";
}

bool StoreFloat(Parser& parser, bool negative, TensorValue& element, bool& fits) {
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
bool StoreToken(Parser& parser, bool negative, TensorValue& element, bool& fits) {
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

bool ParseElement(Parser& parser, TensorValue& element) {
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

bool ParseSha256(Parser& parser, std::string& sha256) {
  const Position at = parser.token.at;
  if (!parser.ExpectQuoted("a SHA-256 in quotes", sha256)) return false;
  const bool good =
      sha256.size() == 64 && sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  return good || parser.Fail(at, "a SHA-256 has 64 digits of 0 to 9 and a to f");
}

bool ParseElements(Parser& parser, int64_t elements, TensorValue& value) {
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

// `data "weights.bin"[0, 4096, "<sha256>"]`; the values are kept if `data_of` has them.
bool ParseData(Parser& parser, int64_t elements, TensorValue value, Buffer& buffer) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const Position at = parser.token.at;
  DataRef ref;
  if (!parser.Advance() || !parser.ExpectQuoted("a file's name in quotes", ref.file)) return false;
  if (!parser.ExpectSign("[") || !parser.ExpectCount("an offset", kMost, ref.offset)) return false;
  if (!parser.ExpectSign(",") || !parser.ExpectCount("a number of bytes", kMost, ref.bytes))
    return false;
  if (parser.IsSign(",")) {
    if (!parser.Advance() || !ParseSha256(parser, ref.sha256)) return false;
  }
  if (!parser.ExpectSign("]")) return false;
  const auto needed = CheckedMul(elements, static_cast<int64_t>(ElementSize(value.dtype)));
  if (needed != ref.bytes) {
    return parser.Fail(at, "the data have " + std::to_string(ref.bytes) +
                               " bytes, and the type needs " +
                               (needed ? std::to_string(*needed) : "more than there can be"));
  }
  if (!CheckedAdd(ref.offset, ref.bytes)) return parser.Fail(at, "no file is that long");
  auto bytes = parser.data_of(ref);
  if (!bytes.ok()) return parser.Fail(at, bytes.error());
  buffer.data = std::move(ref);
  if (!bytes.value()) return true;
  value.bytes = *std::move(bytes).value();
  buffer.initial = std::move(value);
  return true;
}

}  // namespace

bool ParseTensorType(Parser& parser, TensorType& type) {
  if (parser.token.kind != TokenKind::kWord) return parser.Expected("a type");
  const auto dtype = ScalarTypeOf(parser.token.text);
  if (!dtype) return parser.Expected("an element type such as float32");
  type.dtype = *dtype;
  if (!parser.Advance() || !parser.ExpectSign("[")) return false;
  return ParseList(parser, "]", [&] { return ParseSize(parser, type.sizes.emplace_back()); });
}

bool ParseValueType(Parser& parser, ValueType& type) {
  const auto number =
      parser.token.kind == TokenKind::kWord ? NumberNamed(parser.token.text) : std::nullopt;
  Lexer ahead = parser.lexer;
  const Token next = ahead.Next();
  if (number && (next.kind != TokenKind::kSign || next.text != "[")) {
    type = *number;
    return parser.Advance();
  }
  TensorType tensor;
  if (!ParseTensorType(parser, tensor)) return false;
  type = std::move(tensor);
  return true;
}

bool ParseInitial(Parser& parser, Buffer& buffer) {
  TensorValue value;
  value.dtype = buffer.type.dtype;
  std::optional<int64_t> elements = 1;
  for (const SizeExpr& size : buffer.type.sizes) {
    const int64_t number = size.Constant().value_or(-1);
    if (elements) elements = number < 0 ? std::nullopt : CheckedMul(*elements, number);
    value.sizes.push_back(number);
  }
  if (!elements) return parser.FailHere("an initial value needs sizes that are numbers");
  if (parser.IsWord("data")) return ParseData(parser, *elements, std::move(value), buffer);
  if (!ParseElements(parser, *elements, value)) return false;
  buffer.initial = std::move(value);
  return true;
}

}  // namespace pteproof::graph
