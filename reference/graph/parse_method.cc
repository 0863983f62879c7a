// Methods: dims, inputs, entries, body, stores.
#include <limits>

#include "reference/graph/limits.h"
#include "reference/graph/parser.h"

namespace pteproof::graph {
namespace {

constexpr int64_t kMostNumber = std::numeric_limits<int64_t>::max();

bool ParseDim(Parser& parser) {
  DimSymbol dim;
  const Position at = parser.token.at;
  std::string_view name;
  if (parser.method->dims.size() == kMostDims) {
    return parser.FailHere("there are more than " + std::to_string(kMostDims) + " dims");
  }
  if (!parser.ExpectName(TokenKind::kWord, "the name of a dim", name)) return false;
  dim.name = name;
  if (!parser.ExpectWord("in") || !parser.ExpectCount("the least value", kMostNumber, dim.lo) ||
      !parser.ExpectSign("..") || !parser.ExpectCount("the most value", kMostNumber, dim.hi)) {
    return false;
  }
  if (parser.IsWord("hint")) {
    int64_t hint = 0;
    if (!parser.Advance() || !parser.ExpectCount("the hint", kMostNumber, hint)) return false;
    dim.hint = hint;
  }
  parser.positions().dims.push_back(at);
  const auto id = static_cast<int32_t>(parser.method->dims.size());
  if (!parser.dim_ids.emplace(name, id).second) {
    return parser.Fail(at, "dim '" + std::string(name) + "' is defined twice");
  }
  parser.method->dims.push_back(std::move(dim));
  return true;
}

bool ParseInput(Parser& parser) {
  Input input;
  const Position at = parser.token.at;
  parser.positions().inputs.push_back(at);
  std::string_view name;
  ValueType type;
  if (!parser.ExpectName(TokenKind::kValue, "an input ('%...')", name)) return false;
  if (name.front() >= '0' && name.front() <= '9') {
    return parser.Fail(at, "an input has a name, not a number");
  }
  if (!parser.ExpectSign(":") || !ParseValueType(parser, type)) return false;
  input.name = name;
  input.value = parser.NewValue(name, std::move(type));
  if (!parser.Bind(at, name, input.value)) return false;
  input.in_place = parser.IsWord("in_place");
  if (input.in_place && !parser.Advance()) return false;
  parser.method->inputs.push_back(std::move(input));
  return true;
}

// Reads over the inputs: their types may name dims, which are declared behind them.
bool SkipInputs(Parser& parser) {
  int64_t open = 0;
  do {
    if (parser.token.kind == TokenKind::kEnd) return parser.Expected("')'");
    if (parser.IsSign("(")) ++open;
    if (parser.IsSign(")")) --open;
    if (!parser.Advance()) return false;
  } while (open > 0);
  return true;
}

// "(%x: float32[n]) dims(n in 1..8)".
bool ParseInputsAndDims(Parser& parser) {
  if (!parser.IsSign("(")) return parser.Expected("'('");
  const std::pair<Lexer, Token> inputs(parser.lexer, parser.token);
  if (!SkipInputs(parser)) return false;
  if (parser.IsWord("dims")) {
    if (!parser.Advance() || !parser.ExpectSign("(")) return false;
    if (!ParseList(parser, ")", [&] { return ParseDim(parser); })) return false;
  }
  const std::pair<Lexer, Token> body(parser.lexer, parser.token);
  parser.lexer = inputs.first;
  parser.token = inputs.second;
  if (!parser.Advance() || !ParseList(parser, ")", [&] { return ParseInput(parser); })) {
    return false;
  }
  parser.lexer = body.first;
  parser.token = body.second;
  return true;
}

// Whether the statement is "%name = ...", with no type.
bool IsEntry(const Parser& parser) {
  Lexer ahead = parser.lexer;
  return parser.token.kind == TokenKind::kValue && ahead.Next().text == "=";
}

bool ParseEntry(Parser& parser) {
  const Position at = parser.token.at;
  parser.positions().entries.push_back(at);
  std::string_view name;
  BufferEntry entry;
  if (!parser.ExpectName(TokenKind::kValue, "a value ('%...')", name)) return false;
  if (!parser.ExpectSign("=")) return false;
  if (!parser.IsWord("entry")) return parser.Fail(at, "the result needs a type: '%name: TYPE ='");
  if (!parser.method->body.nodes.empty())
    return parser.Fail(at, "an entry must be declared before the first node");
  if (!parser.Advance() || !parser.ExpectBuffer(entry.buffer)) return false;
  entry.value =
      parser.NewValue(name, parser.module.buffers[static_cast<size_t>(entry.buffer)].type);
  parser.method->buffers.push_back(entry);
  return parser.Bind(at, name, entry.value);
}

// Inputs are the method's first values, so that their numbers are those of the inputs.
bool ParseInputStore(Parser& parser, InputStore& store) {
  const Token target = parser.token;
  ValueId value = -1;
  if (!parser.ExpectValue(value)) return false;
  if (static_cast<size_t>(value) >= parser.method->inputs.size()) {
    return parser.Fail(target.at, "'%" + std::string(target.text) + "' is not an input");
  }
  store.input = value;
  return parser.ExpectSign("=") && parser.ExpectValue(store.value);
}

bool ParseStore(Parser& parser) {
  const Position at = parser.token.at;
  if (!parser.ExpectWord("store")) return false;
  if (parser.token.kind == TokenKind::kValue) {
    parser.positions().input_stores.push_back(at);
    return ParseInputStore(parser, parser.method->input_stores.emplace_back());
  }
  if (parser.token.kind != TokenKind::kBuffer) return parser.Expected("a buffer or an input");
  parser.positions().stores.push_back(at);
  BufferStore& store = parser.method->stores.emplace_back();
  return parser.ExpectBuffer(store.buffer) && parser.ExpectSign("=") &&
         parser.ExpectValue(store.value);
}

bool ParseBody(Parser& parser) {
  if (!parser.ExpectSign("{")) return false;
  while (!parser.IsWord("return")) {
    if (IsEntry(parser)) {
      if (!ParseEntry(parser)) return false;
    } else if (!ParseNode(parser, 0, parser.method->body.nodes.emplace_back())) {
      return false;
    }
  }
  parser.positions().outputs = parser.token.at;
  if (!ParseReturn(parser, parser.method->body.results)) return false;
  while (!parser.IsSign("}")) {
    if (!parser.IsWord("store")) return parser.Expected("'store' or '}'");
    if (!ParseStore(parser)) return false;
  }
  return parser.Advance();
}

}  // namespace

bool ParseMethod(Parser& parser) {
  parser.method = &parser.module.methods.emplace_back();
  parser.value_names.emplace_back();
  parser.method_positions.emplace_back().method = parser.token.at;
  parser.dim_ids.clear();
  parser.scopes.assign(1, {});
  std::string_view name;
  if (!parser.ExpectWord("method") || !parser.ExpectName(TokenKind::kWord, "a name", name)) {
    return false;
  }
  parser.method->name = name;
  return ParseInputsAndDims(parser) && ParseBody(parser);
}

}  // namespace pteproof::graph
