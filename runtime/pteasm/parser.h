// What the parts of the parser share: the tokens, and the program so far. For
// runtime/pteasm/parse*.cc and draft.cc only.
#ifndef PTEPROOF_RUNTIME_PTEASM_PARSER_H_
#define PTEPROOF_RUNTIME_PTEASM_PARSER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/text/token_reader.h"
#include "runtime/file_rules.h"
#include "runtime/pteasm/parse.h"

namespace pteproof::pteasm {

using text::ParseList;
using text::Position;
using text::Token;
using text::TokenKind;

// A value by the name that the text gives it, or a literal.
struct Symbol {
  std::string_view name;  // without the sign; empty: a literal
  Position at;            // where it is declared, or first mentioned
  int64_t number = -1;    // that the name is
  bool declared = false;
};

// Contents that several tensors share.
struct SharedContents {
  Bytes bytes;
  uint32_t constant = 0;  // the entry, once a constant has it
  uint32_t initial = 0;   // the same of planned tensors
};

struct Jump {
  size_t instruction = 0;
  std::string_view label;
  Position at;
};

// A method while it is read. Until it is finished, values are numbered by their first mention.
struct Draft {
  Method method;
  MethodPlaces places;
  std::vector<Symbol> symbols;  // by value
  std::vector<int32_t> order;   // values without a number, as they are declared
  std::map<std::string_view, int32_t> names;
  std::map<std::string, int32_t, std::less<>> operators;
  std::map<std::string_view, int32_t> labels;  // to instructions
  std::vector<Jump> jumps;
  std::optional<std::string> inputs_as;
  std::optional<std::string> outputs_as;
  bool has_banks = false;
};

struct Parser : text::TokenReader {
  explicit Parser(const text::DataOf& data) : data_of(data) {}

  const text::DataOf& data_of;
  std::string_view rule = rule::kFileText;  // that the error breaks
  ProgramText out;
  uint64_t filled = 0;            // bytes of `zeros` and `fill` so far
  std::set<std::string> methods;  // their names
  std::map<std::string_view, SharedContents> shared;
  Draft draft;

  bool FailAs(std::string_view broken, Position where, std::string message);

  // A literal.
  [[nodiscard]] int32_t NewValue(Position where, Value value);
  // The value that the token names.
  bool ExpectValue(int32_t& value);
  // Says what the value is.
  bool Declare(int32_t value, Position where, Value content);
};

// "%3", of a value that is named.
[[nodiscard]] std::string NameOf(const Symbol& symbol);

// draft.cc

// Gives values and labels their numbers, and moves the method to the program.
bool FinishMethod(Parser& parser);

// parse_data.cc

bool ParseContents(Parser& parser, int32_t value);
bool ParseBlob(Parser& parser, Bytes& blob);
// `contents @w = ...`.
bool ParseShared(Parser& parser);

// parse_value.cc

bool ParseType(Parser& parser, Value& value);
// A value by its name, or a literal.
bool ParseOperand(Parser& parser, int32_t& value);
bool ParseUint64(Parser& parser, std::string_view what, uint64_t& number);
// "on(1, 0)".
bool ParseDevice(Parser& parser, uint8_t& type, int8_t& index);

// parse_line.cc

bool ParseLine(Parser& parser);
// The number of the operator of that name, which may be new.
[[nodiscard]] int32_t OperatorNamed(Draft& draft, std::string name);
bool ParseOperatorName(Parser& parser, std::string& name);

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_PARSER_H_
