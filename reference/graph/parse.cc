#include "reference/graph/parse.h"

#include "reference/graph/limits.h"
#include "reference/graph/parser.h"
#include "reference/graph/problems.h"

namespace pteproof::graph {
namespace {

bool ParseBuffer(Parser& parser) {
  Buffer buffer;
  parser.buffer_positions.push_back(parser.token.at);
  if (!parser.ExpectWord("buffer")) return false;
  const Position at = parser.token.at;
  std::string_view name;
  if (!parser.ExpectName(TokenKind::kBuffer, "a buffer ('@...')", name)) return false;
  buffer.name = name;
  if (!parser.ExpectSign(":") || !ParseTensorType(parser, buffer.type)) return false;
  buffer.shared = parser.IsWord("shared");
  if (buffer.shared && !parser.Advance()) return false;
  if (parser.IsSign("=")) {
    if (!parser.Advance()) return false;
    if (!ParseInitial(parser, buffer)) return false;
  }
  const auto id = static_cast<int32_t>(parser.module.buffers.size());
  if (!parser.buffer_ids.emplace(name, id).second) {
    return parser.Fail(at, "@" + std::string(name) + " is defined twice");
  }
  parser.module.buffers.push_back(std::move(buffer));
  return true;
}

bool ParseModule(Parser& parser) {
  if (!parser.Advance()) return false;
  while (parser.IsWord("buffer")) {
    if (!ParseBuffer(parser)) return false;
  }
  while (parser.IsWord("method")) {
    if (!ParseMethod(parser)) return false;
  }
  if (parser.token.kind == TokenKind::kEnd) return true;
  if (parser.IsWord("buffer"))
    return parser.FailHere("a buffer must be declared before the first method");
  return parser.Expected("'buffer' or 'method'");
}

Position PositionOf(const Parser& parser, const Place& place) {
  const auto index = static_cast<size_t>(place.index);
  if (place.kind == PlaceKind::kBuffer) return parser.buffer_positions[index];
  const MethodPositions& method = parser.method_positions[static_cast<size_t>(place.method)];
  switch (place.kind) {
    case PlaceKind::kDim:
      return method.dims[index];
    case PlaceKind::kValue:
      return method.values[index];
    case PlaceKind::kInput:
      return method.inputs[index];
    case PlaceKind::kEntry:
      return method.entries[index];
    case PlaceKind::kNode:
      return method.nodes[index];
    case PlaceKind::kOutputs:
      return method.outputs;
    case PlaceKind::kStore:
      return method.stores[index];
    case PlaceKind::kInputStore:
      return method.input_stores[index];
    default:
      return method.method;
  }
}

}  // namespace

Result<std::optional<TensorBytes>, std::string> WithoutData(const DataRef&) {
  return std::optional<TensorBytes>();
}

Result<Module, ParseError> Parse(std::string_view text, const DataOf& data_of) {
  if (text.size() > kLongestText) {
    return ParseError{1, 1, "the text is longer than " + std::to_string(kLongestText) + " bytes"};
  }
  Parser parser(data_of);
  parser.lexer.rest = text;
  if (!ParseModule(parser)) return *parser.error;
  const auto problems = FindProblems(parser.module, parser.value_names);
  if (problems.empty()) return std::move(parser.module);
  const Position at = PositionOf(parser, problems[0].place);
  return ParseError{at.line, at.column, problems[0].problem.explanation};
}

}  // namespace pteproof::graph
