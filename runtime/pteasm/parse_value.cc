// Types of values, and literals.
#include <bit>
#include <charconv>
#include <limits>

#include "reference/text/literals.h"
#include "runtime/pteasm/parser.h"
#include "runtime/reader/tensor_shape.h"

namespace pteproof::pteasm {
namespace {

constexpr int64_t kMostSize = std::numeric_limits<int32_t>::max();

bool IsReal(const Token& token) {
  return token.kind == TokenKind::kFloat || token.kind == TokenKind::kBits ||
         (token.kind == TokenKind::kWord && (token.text == "inf" || token.text == "nan"));
}

bool ParseInt(Parser& parser, int64_t& number) {
  const Position at = parser.token.at;
  const bool negative = parser.IsSign("-");
  if (negative && !parser.Advance()) return false;
  uint64_t magnitude = 0;
  if (!ParseUint64(parser, "an integer", magnitude)) return false;
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (magnitude > kMost + (negative ? 1U : 0U)) {
    return parser.Fail(at, "integers have 64 bits: " + std::to_string(INT64_MIN) + " to " +
                               std::to_string(INT64_MAX));
  }
  number = static_cast<int64_t>(negative ? 0U - magnitude : magnitude);
  return true;
}

// "0x7ff8000000000001": the bits of the number.
bool ParseBits(Parser& parser, double& real) {
  uint64_t bits = 0;
  const std::string_view digits = parser.token.text.substr(2);
  const auto read = std::from_chars(digits.begin(), digits.end(), bits, 16);
  if (read.ec != std::errc()) return parser.FailHere("a double has 64 bits: 16 digits after '0x'");
  real = std::bit_cast<double>(bits);
  return parser.Advance();
}

bool ParseReal(Parser& parser, double& real) {
  if (parser.token.kind == TokenKind::kBits) return ParseBits(parser, real);
  const bool negative = parser.IsSign("-");
  if (negative && !parser.Advance()) return false;
  if (parser.IsWord("inf")) {
    real = std::numeric_limits<double>::infinity();
  } else if (parser.IsWord("nan") && !negative) {
    real = std::numeric_limits<double>::quiet_NaN();
  } else if (parser.token.kind == TokenKind::kFloat) {
    const auto read = text::RealOf(parser.token.text);
    if (!read) return parser.FailHere("the number is outside the range of float64");
    real = *read;
  } else {
    return parser.Expected("a float, with a dot or an exponent");
  }
  if (negative) real = -real;
  return parser.Advance();
}

bool ParseBool(Parser& parser, int64_t& flag) {
  flag = parser.IsWord("true") ? 1 : 0;
  return parser.IsWord("true") || parser.IsWord("false") ? parser.Advance()
                                                         : parser.Expected("true or false");
}

Range AppendText(Method& method, std::string_view text) {
  const Range range{static_cast<uint32_t>(method.text.size()), static_cast<uint32_t>(text.size())};
  method.text += text;
  return range;
}

Range AppendInts(Method& method, const std::vector<int32_t>& ints) {
  const Range range{static_cast<uint32_t>(method.ints.size()), static_cast<uint32_t>(ints.size())};
  method.ints.insert(method.ints.end(), ints.begin(), ints.end());
  return range;
}

bool ParseQuotedValue(Parser& parser, Value& value) {
  std::string text;
  if (!parser.ExpectQuoted("a text in quotes", text)) return false;
  value.items = AppendText(parser.draft.method, text);
  return true;
}

// "[1, %3]": numbers of values, after the '['.
bool ParseIntItems(Parser& parser, Value& list) {
  std::vector<int32_t> items;
  const auto item = [&] {
    int32_t& index = items.emplace_back();
    if (parser.token.kind == TokenKind::kValue) return parser.ExpectValue(index);
    const Position at = parser.token.at;
    Value number{.kind = ValueKind::kInt};
    if (!ParseInt(parser, number.integer)) return false;
    index = parser.NewValue(at, number);
    return true;
  };
  if (!ParseList(parser, "]", item)) return false;
  list.items = AppendInts(parser.draft.method, items);
  return true;
}

bool ParseTensorItems(Parser& parser, Value& list) {
  std::vector<int32_t> items;
  const bool optional = list.kind == ValueKind::kOptionalTensorList;
  const auto item = [&] {
    int32_t& index = items.emplace_back(-1);
    if (optional && parser.IsWord("None")) return parser.Advance();
    return parser.ExpectValue(index);
  };
  if (!ParseList(parser, "]", item)) return false;
  list.items = AppendInts(parser.draft.method, items);
  return true;
}

bool ParseRealItems(Parser& parser, Value& list) {
  std::vector<double>& reals = parser.draft.method.reals;
  const size_t first = reals.size();
  if (!ParseList(parser, "]", [&] { return ParseReal(parser, reals.emplace_back()); }))
    return false;
  list.items = {static_cast<uint32_t>(first), static_cast<uint32_t>(reals.size() - first)};
  return true;
}

bool ParseBoolItems(Parser& parser, Value& list) {
  std::vector<int32_t> flags;
  const auto item = [&] {
    int64_t flag = 0;
    if (!ParseBool(parser, flag)) return false;
    flags.push_back(static_cast<int32_t>(flag));
    return true;
  };
  if (!ParseList(parser, "]", item)) return false;
  list.items = AppendInts(parser.draft.method, flags);
  return true;
}

std::optional<ValueKind> ListNamed(std::string_view word) {
  if (word == "ints") return ValueKind::kIntList;
  if (word == "doubles") return ValueKind::kDoubleList;
  if (word == "bools") return ValueKind::kBoolList;
  if (word == "tensors") return ValueKind::kTensorList;
  if (word == "optionals") return ValueKind::kOptionalTensorList;
  return std::nullopt;
}

// The kind of a list without a word, by its first item; nothing: the item does not tell.
std::optional<ValueKind> ListOf(const Parser& parser) {
  text::Lexer ahead = parser.lexer;
  Token first = ahead.Next();
  if (first.kind == TokenKind::kSign && first.text == "-") first = ahead.Next();
  if (first.kind == TokenKind::kInteger) return ValueKind::kIntList;
  if (IsReal(first)) return ValueKind::kDoubleList;
  const bool flag = first.text == "true" || first.text == "false";
  if (first.kind == TokenKind::kWord && flag) return ValueKind::kBoolList;
  return std::nullopt;
}

bool IsList(const Parser& parser) {
  return parser.IsSign("[") ||
         (parser.token.kind == TokenKind::kWord && ListNamed(parser.token.text));
}

bool ParseAnyList(Parser& parser, Value& list) {
  const bool worded = !parser.IsSign("[");
  const auto kind = worded ? ListNamed(parser.token.text) : ListOf(parser);
  if (!kind) {
    return parser.FailHere(
        "the list does not show what it holds. Write a word before it: ints[...], doubles[...], "
        "bools[...], tensors[...] or optionals[...]");
  }
  list.kind = *kind;
  if ((worded && !parser.Advance()) || !parser.ExpectSign("[")) return false;
  switch (list.kind) {
    case ValueKind::kIntList:
      return ParseIntItems(parser, list);
    case ValueKind::kDoubleList:
      return ParseRealItems(parser, list);
    case ValueKind::kBoolList:
      return ParseBoolItems(parser, list);
    default:
      return ParseTensorItems(parser, list);
  }
}

// A word of a tensor that may be said once.
bool Once(Parser& parser, bool& said) {
  if (said) return parser.FailHere("this is said twice of one tensor. Leave one out");
  said = true;
  return true;
}

struct TensorDraft {
  Tensor tensor;
  std::vector<int32_t> sizes;
  std::vector<int32_t> order;
  bool bounded = false;
  bool ordered = false;
  bool placed = false;
  bool on_device = false;
  bool external = false;
  bool named = false;
};

bool ParseOrder(Parser& parser, TensorDraft& draft) {
  if (!parser.Advance() || !parser.ExpectSign("[")) return false;
  return ParseList(parser, "]", [&] {
    int64_t dim = 0;
    if (!parser.ExpectCount("a dimension", 255, dim)) return false;
    draft.order.push_back(static_cast<int32_t>(dim));
    return true;
  });
}

// "@1:32": a bank and an offset.
bool ParsePlacement(Parser& parser, Tensor& tensor) {
  const std::string_view digits = parser.token.text;
  const auto read = std::from_chars(digits.begin(), digits.end(), tensor.bank);
  if (read.ec != std::errc() || read.ptr != digits.end()) {
    return parser.FailHere("a placement is '@BANK:OFFSET', two numbers, such as @1:32");
  }
  tensor.planned = true;
  return parser.Advance() && parser.ExpectSign(":") &&
         ParseUint64(parser, "an offset", tensor.offset);
}

bool ParseAttributes(Parser& parser, TensorDraft& draft) {
  while (true) {
    if (parser.IsWord("bounded")) {
      if (!Once(parser, draft.bounded) || !parser.Advance()) return false;
    } else if (parser.IsWord("order")) {
      if (!Once(parser, draft.ordered) || !ParseOrder(parser, draft)) return false;
    } else if (parser.token.kind == TokenKind::kBuffer) {
      if (!Once(parser, draft.placed) || !ParsePlacement(parser, draft.tensor)) return false;
    } else if (parser.IsWord("on")) {
      if (!Once(parser, draft.on_device)) return false;
      if (!ParseDevice(parser, draft.tensor.device_type, draft.tensor.device_index)) return false;
    } else if (parser.IsWord("external")) {
      if (!Once(parser, draft.external) || !parser.Advance()) return false;
    } else if (parser.token.kind == TokenKind::kText) {
      std::string name;
      if (!Once(parser, draft.named) || !parser.ExpectQuoted("a name", name)) return false;
      draft.tensor.name = AppendText(parser.draft.method, name);
    } else {
      return true;
    }
  }
}

// Fills in what follows from the sizes.
bool FinishTensor(Parser& parser, Position at, TensorDraft& draft) {
  Method& method = parser.draft.method;
  if (!draft.ordered) {
    for (size_t d = 0; d < draft.sizes.size(); ++d) draft.order.push_back(static_cast<int>(d));
  }
  if (draft.sizes.size() > 16) {
    return parser.FailAs(rule::kFileTensorShape, at,
                         "the tensor has " + std::to_string(draft.sizes.size()) +
                             " dimensions, and runtimes allow 16");
  }
  if (draft.order.size() != draft.sizes.size() || !reader::IsPermutation(draft.order)) {
    return parser.FailAs(rule::kFileDimOrder, at,
                         "the order does not name each of the " +
                             std::to_string(draft.sizes.size()) + " dimensions once, from 0");
  }
  Tensor& tensor = draft.tensor;
  const auto bytes = reader::TensorBytes(draft.sizes, draft.order, ElementSize(tensor.dtype));
  if (!bytes) {
    return parser.FailAs(rule::kFileTensorShape, at,
                         "the number of bytes or a stride of the tensor overflows. Use smaller "
                         "sizes");
  }
  tensor.nbytes = *bytes;
  tensor.sizes = AppendInts(method, draft.sizes);
  tensor.dim_order = AppendInts(method, draft.order);
  tensor.external = draft.external;
  tensor.dynamism = draft.bounded ? Dynamism::kBounded : Dynamism::kStatic;
  return true;
}

bool ParseTensor(Parser& parser, Value& value) {
  const Position at = parser.token.at;
  const auto dtype = ScalarTypeOf(parser.token.text);
  if (!dtype) {
    return parser.Expected(
        "a type: an element type such as float32, or int, bool, double, string, none, or a list");
  }
  TensorDraft draft;
  draft.tensor.dtype = *dtype;
  const auto size = [&] {
    int64_t elements = 0;
    if (!parser.ExpectCount("a size", kMostSize, elements)) return false;
    draft.sizes.push_back(static_cast<int32_t>(elements));
    return true;
  };
  if (!parser.Advance() || !parser.ExpectSign("[") || !ParseList(parser, "]", size)) return false;
  if (!ParseAttributes(parser, draft) || !FinishTensor(parser, at, draft)) return false;
  value.kind = ValueKind::kTensor;
  value.tensor = static_cast<uint32_t>(parser.draft.method.tensors.size());
  parser.draft.method.tensors.push_back(draft.tensor);
  return true;
}

// "int 4"; the number may be left out.
bool ParseNumberType(Parser& parser, ValueKind kind, Value& value) {
  value.kind = kind;
  if (!parser.Advance()) return false;
  const bool integer = parser.token.kind == TokenKind::kInteger;
  const bool negative = parser.IsSign("-");
  switch (kind) {
    case ValueKind::kInt:
      return integer || negative ? ParseInt(parser, value.integer) : true;
    case ValueKind::kBool:
      return parser.IsWord("true") || parser.IsWord("false") ? ParseBool(parser, value.integer)
                                                             : true;
    case ValueKind::kDouble:
      return IsReal(parser.token) || negative ? ParseReal(parser, value.real) : true;
    default:
      return parser.token.kind == TokenKind::kText ? ParseQuotedValue(parser, value) : true;
  }
}

bool ParseLiteral(Parser& parser, Value& value) {
  if (parser.token.kind == TokenKind::kText) {
    value.kind = ValueKind::kString;
    return ParseQuotedValue(parser, value);
  }
  if (IsList(parser)) return ParseAnyList(parser, value);
  if (parser.IsWord("None")) return parser.Advance();
  if (parser.IsWord("true") || parser.IsWord("false")) {
    value.kind = ValueKind::kBool;
    return ParseBool(parser, value.integer);
  }
  text::Lexer ahead = parser.lexer;
  const TokenKind next = parser.IsSign("-") ? ahead.Next().kind : parser.token.kind;
  if (next == TokenKind::kInteger) {
    value.kind = ValueKind::kInt;
    return ParseInt(parser, value.integer);
  }
  if (!parser.IsSign("-") && !IsReal(parser.token)) return parser.Expected("a value or a literal");
  value.kind = ValueKind::kDouble;
  return ParseReal(parser, value.real);
}

}  // namespace

bool ParseUint64(Parser& parser, std::string_view what, uint64_t& number) {
  if (parser.token.kind != TokenKind::kInteger) return parser.Expected(what);
  const auto read = std::from_chars(parser.token.text.begin(), parser.token.text.end(), number);
  if (read.ec == std::errc()) return parser.Advance();
  return parser.FailHere(std::string(what) + " is at most " + std::to_string(UINT64_MAX));
}

bool ParseDevice(Parser& parser, uint8_t& type, int8_t& index) {
  int64_t device = 0;
  int64_t number = 0;
  if (!parser.ExpectWord("on") || !parser.ExpectSign("(")) return false;
  if (!parser.ExpectCount("a device type", 127, device) || !parser.ExpectSign(",")) return false;
  const bool negative = parser.IsSign("-");
  if (negative && !parser.Advance()) return false;
  if (!parser.ExpectCount("the number of a device", negative ? 128 : 127, number)) return false;
  type = static_cast<uint8_t>(device);
  index = static_cast<int8_t>(negative ? -number : number);
  return parser.ExpectSign(")");
}

bool ParseType(Parser& parser, Value& value) {
  if (IsList(parser)) return ParseAnyList(parser, value);
  if (parser.token.kind != TokenKind::kWord) return parser.Expected("a type");
  if (parser.IsWord("none")) return parser.Advance();
  if (parser.IsWord("int")) return ParseNumberType(parser, ValueKind::kInt, value);
  if (parser.IsWord("bool")) {
    text::Lexer ahead = parser.lexer;
    const Token next = ahead.Next();
    if (next.kind != TokenKind::kSign || next.text != "[") {
      return ParseNumberType(parser, ValueKind::kBool, value);
    }
  }
  if (parser.IsWord("double")) return ParseNumberType(parser, ValueKind::kDouble, value);
  if (parser.IsWord("string")) return ParseNumberType(parser, ValueKind::kString, value);
  return ParseTensor(parser, value);
}

bool ParseOperand(Parser& parser, int32_t& value) {
  if (parser.token.kind == TokenKind::kValue) return parser.ExpectValue(value);
  const Position at = parser.token.at;
  Value literal;
  if (!ParseLiteral(parser, literal)) return false;
  value = parser.NewValue(at, literal);
  return true;
}

}  // namespace pteproof::pteasm
