// What the parts of the parser share: the tokens, and the Module so far.
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

#include "reference/graph/parse.h"
#include "reference/text/token_reader.h"

namespace pteproof::graph {

using text::Lexer;
using text::ParseList;
using text::Position;
using text::Token;
using text::TokenKind;

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

struct Parser : text::TokenReader {
  explicit Parser(const DataOf& data) : data_of(data) {}

  using Scope = std::map<std::string_view, ValueId>;

  const DataOf& data_of;
  Module module;
  std::map<std::string_view, int32_t> buffer_ids;
  std::vector<Position> buffer_positions;
  std::vector<MethodPositions> method_positions;
  std::vector<std::vector<std::string>> value_names;  // by method and ValueId

  // Of the method being read.
  Method* method = nullptr;
  std::map<std::string_view, int32_t> dim_ids;
  std::vector<Scope> scopes;  // one a region, the innermost last

  [[nodiscard]] MethodPositions& positions() { return method_positions.back(); }
  // A value of that type, in no scope yet.
  [[nodiscard]] ValueId NewValue(std::string_view name, ValueType type);
  // Puts the value into the innermost scope.
  bool Bind(Position at, std::string_view name, ValueId value);
  // The value or buffer that the token names.
  bool ExpectValue(ValueId& value);
  bool ExpectBuffer(int32_t& buffer);
};

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
