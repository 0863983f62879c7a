// Idea. While a method is read, a value's number is that of its first mention. At the end numbered
// names take their numbers, all other values the free numbers in the order of declaration, and all
// mentions are renumbered.
//
//   %2: ...  %x: ...  f(%2, 1)      x is v0, the literal v1
//
// Invariant: numbers are a permutation of 0 .. n-1, so that no number is larger than the text.
// Cost: O(mentions).
#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include "runtime/pteasm/banks.h"
#include "runtime/pteasm/limits.h"
#include "runtime/pteasm/parser.h"
#include "runtime/structure_text.h"

namespace pteproof::pteasm {
namespace {

// The number that a name is; -1: it is a word, or no number of a value.
int64_t NumberIn(std::string_view name) {
  int64_t number = -1;
  if (name.empty() || name.front() < '0' || name.front() > '9') return -1;
  const auto read = std::from_chars(name.begin(), name.end(), number);
  return read.ec == std::errc() ? number : std::numeric_limits<int64_t>::max();
}

bool AllAreDeclared(Parser& parser) {
  for (const Symbol& symbol : parser.draft.symbols) {
    if (symbol.declared) continue;
    return parser.Fail(symbol.at, NameOf(symbol) +
                                      " has no type. Say it where the value is made, or in a line "
                                      "of its own: '" +
                                      NameOf(symbol) + ": float32[2]'");
  }
  return true;
}

// By value: its number in the file.
bool NumberValues(Parser& parser, std::vector<int32_t>& numbers) {
  const std::vector<Symbol>& symbols = parser.draft.symbols;
  std::vector<int32_t> holder(symbols.size(), -1);
  numbers.assign(symbols.size(), -1);
  for (size_t v = 0; v < symbols.size(); ++v) {
    const Symbol& symbol = symbols[v];
    if (symbol.number < 0) continue;
    if (symbol.number >= static_cast<int64_t>(symbols.size())) {
      return parser.Fail(symbol.at, NameOf(symbol) + " is beyond the last value: there are " +
                                        std::to_string(symbols.size()) +
                                        ", numbered from 0. Use the next free number, or a word");
    }
    int32_t& at = holder[static_cast<size_t>(symbol.number)];
    if (at >= 0) {
      return parser.Fail(symbol.at, NameOf(symbol) + " has the number of " +
                                        NameOf(symbols[static_cast<size_t>(at)]));
    }
    at = static_cast<int32_t>(v);
    numbers[v] = static_cast<int32_t>(symbol.number);
  }
  int32_t free = 0;
  for (const int32_t value : parser.draft.order) {
    while (holder[static_cast<size_t>(free)] >= 0) ++free;
    numbers[static_cast<size_t>(value)] = free++;
  }
  return true;
}

void Renumber(std::span<int32_t> values, const std::vector<int32_t>& numbers) {
  for (int32_t& value : values) {
    if (value >= 0) value = numbers[static_cast<size_t>(value)];
  }
}

std::span<int32_t> IntsOf(Method& method, Range range) {
  return std::span(method.ints).subspan(range.first, range.count);
}

void RenumberInstruction(Method& method, Instruction& instruction,
                         const std::vector<int32_t>& numbers) {
  switch (instruction.kind) {
    case InstructionKind::kKernelCall:
    case InstructionKind::kDelegateCall:
      return Renumber(IntsOf(method, instruction.args), numbers);
    case InstructionKind::kMove:
      Renumber({&instruction.other, 1}, numbers);
      [[fallthrough]];
    case InstructionKind::kJumpFalse:
    case InstructionKind::kFree:
      return Renumber({&instruction.target, 1}, numbers);
  }
}

void RenumberMethod(Draft& draft, const std::vector<int32_t>& numbers) {
  Method& method = draft.method;
  std::vector<Value> values(method.values.size());
  draft.places.values.resize(values.size());
  draft.places.names.resize(values.size());
  for (size_t v = 0; v < values.size(); ++v) {
    const Value& value = method.values[v];
    const auto number = static_cast<size_t>(numbers[v]);
    const bool lists = value.kind == ValueKind::kIntList || value.kind == ValueKind::kTensorList ||
                       value.kind == ValueKind::kOptionalTensorList;
    if (lists) Renumber(IntsOf(method, value.items), numbers);
    values[number] = value;
    draft.places.values[number] = draft.symbols[v].at;
    if (!draft.symbols[v].name.empty()) draft.places.names[number] = NameOf(draft.symbols[v]);
  }
  method.values = std::move(values);
  Renumber(method.inputs, numbers);
  Renumber(method.outputs, numbers);
  for (Instruction& each : method.instructions) RenumberInstruction(method, each, numbers);
}

bool ResolveJumps(Parser& parser) {
  Draft& draft = parser.draft;
  for (const Jump& jump : draft.jumps) {
    const auto found = draft.labels.find(jump.label);
    if (found == draft.labels.end()) {
      return parser.Fail(jump.at, "the label '" + std::string(jump.label) +
                                      "' does not exist in this method. Write '" +
                                      std::string(jump.label) +
                                      ":' before the instruction to jump to");
    }
    draft.method.instructions[jump.instruction].other = found->second;
  }
  return true;
}

bool SetBanks(Parser& parser) {
  Draft& draft = parser.draft;
  if (draft.has_banks) return true;
  auto banks = ImpliedBanks(draft.method);
  if (!banks) {
    return parser.FailAs(rule::kFileBankSize, draft.places.method,
                         "the method has more than " + std::to_string(kMostImpliedBanks) +
                             " banks. Say their sizes, from bank 0 on: banks [0, 64, ...]");
  }
  draft.method.bank_sizes = *std::move(banks);
  return true;
}

}  // namespace

std::string NameOf(const Symbol& symbol) {
  constexpr size_t kLongest = 60;
  const bool is_long = symbol.name.size() > kLongest;
  return "%" + std::string(symbol.name.substr(0, kLongest)) + (is_long ? "..." : "");
}

bool Parser::FailAs(std::string_view broken, Position where, std::string message) {
  if (!error) rule = broken;
  return Fail(where, std::move(message));
}

int32_t Parser::NewValue(Position where, Value value) {
  const auto index = static_cast<int32_t>(draft.symbols.size());
  draft.symbols.push_back({{}, where, -1, true});
  draft.method.values.push_back(value);
  draft.order.push_back(index);
  return index;
}

bool Parser::ExpectValue(int32_t& value) {
  if (token.kind != TokenKind::kValue) return Expected("a value ('%...')");
  const auto next = static_cast<int32_t>(draft.symbols.size());
  const auto [found, is_new] = draft.names.emplace(token.text, next);
  if (is_new) {
    draft.symbols.push_back({token.text, token.at, NumberIn(token.text), false});
    draft.method.values.emplace_back();
  }
  value = found->second;
  return Advance();
}

bool Parser::Declare(int32_t value, Position where, Value content) {
  Symbol& symbol = draft.symbols[static_cast<size_t>(value)];
  if (symbol.declared) {
    return Fail(where, NameOf(symbol) + " has its type already, from line " +
                           std::to_string(symbol.at.line) + ". Say it once");
  }
  symbol.declared = true;
  symbol.at = where;
  draft.method.values[static_cast<size_t>(value)] = content;
  if (symbol.number < 0) draft.order.push_back(value);
  return true;
}

bool FinishMethod(Parser& parser) {
  std::vector<int32_t> numbers;
  if (!AllAreDeclared(parser) || !NumberValues(parser, numbers) || !ResolveJumps(parser) ||
      !SetBanks(parser)) {
    return false;
  }
  RenumberMethod(parser.draft, numbers);
  Method& method = parser.draft.method;
  method.input_structure = parser.draft.inputs_as.value_or(PositionalInputs(method.inputs.size()));
  method.output_structure = parser.draft.outputs_as.value_or(FlatOutputs(method.outputs.size()));
  parser.out.program.methods.push_back(std::move(parser.draft.method));
  parser.out.places.push_back(std::move(parser.draft.places));
  return true;
}

}  // namespace pteproof::pteasm
