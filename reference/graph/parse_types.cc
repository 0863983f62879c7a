// Types, and the contents of buffers.
#include "base/checked_math.h"
#include "reference/graph/parser.h"
#include "reference/text/elements.h"

namespace pteproof::graph {
namespace {

std::optional<NumberType> NumberNamed(std::string_view name) {
  if (name == "int") return NumberType::kInt;
  if (name == "bool") return NumberType::kBool;
  if (name == "real") return NumberType::kReal;
  return std::nullopt;
}

// `data "weights.bin"[0, 4096, "<sha256>"]`; the values are kept if `data_of` has them.
bool ParseData(Parser& parser, int64_t elements, TensorValue value, Buffer& buffer) {
  const Position at = parser.token.at;
  DataRef ref;
  if (!text::ParseDataRef(parser, ref)) return false;
  const auto needed = CheckedMul(elements, static_cast<int64_t>(ElementSize(value.dtype)));
  if (needed != ref.bytes) {
    return parser.Fail(at, "the data have " + std::to_string(ref.bytes) +
                               " bytes, and the type needs " +
                               (needed ? std::to_string(*needed) : "more than there can be"));
  }
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
  if (!text::ParseElements(parser, *elements, value)) return false;
  buffer.initial = std::move(value);
  return true;
}

}  // namespace pteproof::graph
