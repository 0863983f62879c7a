// What the parts of the parser share: the current token, the first error, and the Module so far.
// For reference/graph/parse*.cc only.
#ifndef PTEPROOF_REFERENCE_GRAPH_PARSER_H_
#define PTEPROOF_REFERENCE_GRAPH_PARSER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/graph/lexer.h"
#include "reference/graph/parse.h"

namespace pteproof::graph {

// Where the parts of a method stand, in the order of the Module's lists.
struct MethodPositions {
  Position method;
  std::vector<Position> dims;
  std::vector<Position> values;  // where each is defined, by ValueId
  std::vector<Position> inputs;
  std::vector<Position> entries;
  std::vector<Position> nodes;
  Position outputs;
  std::vector<Position> stores;
  std::vector<Position> input_stores;
};

// Every function that reads something returns whether it could; after the first false nothing else
// is read.
struct Parser {
  explicit Parser(const DataOf& data) : data_of(data) {}

  using Scope = std::map<std::string_view, ValueId>;

  const DataOf& data_of;
  Lexer lexer;
  Token token;  // the next one, not yet consumed
  std::optional<ParseError> error;

  Module module;
  std::map<std::string_view, int32_t> buffer_ids;
  std::vector<Position> buffer_positions;
  std::vector<MethodPositions> method_positions;
  std::vector<std::vector<std::string>> value_names;  // by method and ValueId

  // Of the method being read.
  Method* method = nullptr;
  std::map<std::string_view, int32_t> dim_ids;
  std::vector<Scope> scopes;  // one a region, the innermost last

  // Remembers the first error. Always false.
  bool Fail(Position at, std::string message);
  bool FailHere(std::string message) { return Fail(token.at, std::move(message)); }
  // "expected ..., found ...".
  bool Expected(std::string_view what);
  // Consumes the token.
  bool Advance();

  [[nodiscard]] bool IsSign(std::string_view sign) const {
    return token.kind == TokenKind::kSign && token.text == sign;
  }
  [[nodiscard]] bool IsWord(std::string_view word) const {
    return token.kind == TokenKind::kWord && token.text == word;
  }
  bool ExpectSign(std::string_view sign);
  bool ExpectWord(std::string_view word);
  // The name of a token of that kind, which `what` describes.
  bool ExpectName(TokenKind kind, std::string_view what, std::string_view& name);
  // An integer without sign; `what` describes it.
  bool ExpectCount(std::string_view what, int64_t most, int64_t& count);
  bool ExpectQuoted(std::string_view what, std::string& text);

  [[nodiscard]] MethodPositions& positions() { return method_positions.back(); }
  // A value of that type, in no scope yet.
  [[nodiscard]] ValueId NewValue(std::string_view name, ValueType type);
  // Puts the value into the innermost scope.
  bool Bind(Position at, std::string_view name, ValueId value);
  // The value or buffer that the token names.
  bool ExpectValue(ValueId& value);
  bool ExpectBuffer(int32_t& buffer);
};

// Reads items up to the closing sign; the opening one has been consumed.
template <class Item>
bool ParseList(Parser& parser, std::string_view close, Item item) {
  if (parser.IsSign(close)) return parser.Advance();
  while (item()) {
    if (parser.IsSign(close)) return parser.Advance();
    if (!parser.IsSign(",")) return parser.Expected("',' or '" + std::string(close) + "'");
    if (!parser.Advance()) return false;
  }
  return false;
}

// parse_size.cc
bool ParseSize(Parser& parser, SizeExpr& size);

// parse_types.cc
bool ParseTensorType(Parser& parser, TensorType& type);
bool ParseValueType(Parser& parser, ValueType& type);
// `buffer.initial`, or `buffer.data`; the type is read already.
bool ParseInitial(Parser& parser, Buffer& buffer);

// parse_operand.cc
bool ParseOperand(Parser& parser, int depth, Operand& operand);

// parse_node.cc
bool ParseNode(Parser& parser, int depth, Node& node);
// "%1, %2", or nothing.
bool ParseReturn(Parser& parser, std::vector<ValueId>& results);

// parse_method.cc
bool ParseMethod(Parser& parser);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PARSER_H_
