// The lines of a method: values, instructions, labels and delegates.
#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "runtime/pteasm/call_form.h"
#include "runtime/pteasm/parser.h"

namespace pteproof::pteasm {
namespace {

constexpr int64_t kMostIndex = INT32_MAX;

Instruction& AddInstruction(Parser& parser, Position at, InstructionKind kind) {
  parser.draft.places.instructions.push_back(at);
  Instruction& instruction = parser.draft.method.instructions.emplace_back();
  instruction.kind = kind;
  return instruction;
}

void SetArguments(Method& method, Instruction& call, const std::vector<int32_t>& args) {
  call.args = {static_cast<uint32_t>(method.ints.size()), static_cast<uint32_t>(args.size())};
  method.ints.insert(method.ints.end(), args.begin(), args.end());
}

bool ParseOperands(Parser& parser, std::vector<int32_t>& operands) {
  if (!parser.ExpectSign("(")) return false;
  return ParseList(parser, ")", [&] { return ParseOperand(parser, operands.emplace_back()); });
}

bool WrongNumber(Parser& parser, Position at, const std::string& op, const std::string& needed,
                 const std::vector<int32_t>& results, const std::vector<int32_t>& operands) {
  return parser.FailAs(rule::kFileArguments, at,
                       op + " takes " + needed + ", and here are " +
                           Counted(operands.size(), "operand") + " and " +
                           Counted(results.size(), "result") +
                           ". 'call' before the operator takes all arguments as the file has them");
}

// A list of tensors that the text does not write out.
int32_t NewTensorList(Parser& parser, Position at, const std::vector<int32_t>& tensors) {
  Method& method = parser.draft.method;
  Value list{.kind = ValueKind::kTensorList};
  list.items = {static_cast<uint32_t>(method.ints.size()), static_cast<uint32_t>(tensors.size())};
  method.ints.insert(method.ints.end(), tensors.begin(), tensors.end());
  return parser.NewValue(at, list);
}

// All arguments of a call in which results stand for memory and slot.
std::vector<int32_t> ImpliedArguments(Parser& parser, Position at, const OpSchema& schema,
                                      const std::vector<int32_t>& results,
                                      std::vector<int32_t> args) {
  if (HasOutList(schema)) {
    args.push_back(NewTensorList(parser, at, results));
  } else {
    args.insert(args.end(), results.begin(), results.end());
  }
  if (schema.returns == ReturnSlot::kWritten) args.push_back(results.front());
  if (schema.returns == ReturnSlot::kWrittenList)
    args.push_back(NewTensorList(parser, at, results));
  return args;
}

// From results and operands to the file's arguments.
bool CompleteArguments(Parser& parser, Position at, const std::string& op,
                       const std::vector<int32_t>& results, std::vector<int32_t>& args) {
  const OpSchema* schema = SignatureOf(op);
  if (schema == nullptr) {
    if (results.size() != 1) return WrongNumber(parser, at, op, "one result", results, args);
    args.insert(args.end(), 2, results.front());
    return true;
  }
  const size_t outs = ImpliedOuts(*schema);
  const size_t all = schema->args.size();
  const size_t slots = schema->returns == ReturnSlot::kNone ? 0 : 1;
  if (args.size() == all && results.size() == slots) {
    args.insert(args.end(), results.begin(), results.end());
    return true;
  }
  const bool enough = HasOutList(*schema) ? !results.empty() : results.size() == outs;
  if (outs > 0 && args.size() + outs == all && enough) {
    args = ImpliedArguments(parser, at, *schema, results, std::move(args));
    return true;
  }
  const std::string needed =
      Counted(all - outs, "operand") + " and " +
      (outs == 0 ? Counted(slots, "result")
                 : (HasOutList(*schema) ? "its results" : Counted(outs, "result")));
  return WrongNumber(parser, at, op, needed, results, args);
}

// The operator's name, or its number in the method's list.
bool ParseOperator(Parser& parser, int32_t& index, std::string& name) {
  const std::vector<Operator>& known = parser.draft.method.operators;
  if (parser.token.kind != TokenKind::kInteger) {
    if (!ParseOperatorName(parser, name)) return false;
    index = OperatorNamed(parser.draft, name);
    return true;
  }
  const Position at = parser.token.at;
  int64_t number = 0;
  if (!parser.ExpectCount("the number of an operator", kMostIndex, number)) return false;
  if (static_cast<size_t>(number) >= known.size()) {
    return parser.FailAs(rule::kFileInstruction, at,
                         "the method has " + Counted(known.size(), "operator") +
                             " so far, numbered from 0. List them: operators [aten::add.out, ...]");
  }
  index = static_cast<int32_t>(number);
  name = known[static_cast<size_t>(number)].name;
  return true;
}

bool ParseKernelCall(Parser& parser, const std::vector<int32_t>& results) {
  const Position at = parser.token.at;
  const bool raw = parser.IsWord("call");
  if ((raw || parser.IsWord("operator")) && !parser.Advance()) return false;
  if (raw && !results.empty()) {
    return parser.Fail(at, "'call' takes all arguments in its parentheses and has no results");
  }
  int32_t index = 0;
  std::string name;
  std::vector<int32_t> args;
  if (!ParseOperator(parser, index, name) || !ParseOperands(parser, args)) return false;
  if (!raw && !CompleteArguments(parser, at, name, results, args)) return false;
  Instruction& call = AddInstruction(parser, at, InstructionKind::kKernelCall);
  call.target = index;
  SetArguments(parser.draft.method, call, args);
  return true;
}

bool ParseMove(Parser& parser, const std::vector<int32_t>& results) {
  const Position at = parser.token.at;
  if (results.size() != 1) return parser.FailHere("a move has one result: '%2 = move %1'");
  int32_t source = 0;
  if (!parser.Advance() || !parser.ExpectValue(source)) return false;
  Instruction& move = AddInstruction(parser, at, InstructionKind::kMove);
  move.target = source;
  move.other = results.front();
  return true;
}

bool ParseJump(Parser& parser) {
  const Position at = parser.token.at;
  int32_t condition = 0;
  if (!parser.Advance() || !ParseOperand(parser, condition)) return false;
  if (!parser.ExpectSign(",")) return false;
  const Position label_at = parser.token.at;
  std::string_view label;
  if (!parser.ExpectName(TokenKind::kWord, "a label", label)) return false;
  AddInstruction(parser, at, InstructionKind::kJumpFalse).target = condition;
  parser.draft.jumps.push_back({parser.draft.method.instructions.size() - 1, label, label_at});
  return true;
}

bool ParseFree(Parser& parser) {
  const Position at = parser.token.at;
  int32_t value = 0;
  if (!parser.Advance() || !parser.ExpectValue(value)) return false;
  AddInstruction(parser, at, InstructionKind::kFree).target = value;
  return true;
}

bool ParseSpec(Parser& parser, Delegate& delegate) {
  CompileSpec spec;
  if (!parser.Advance() || !parser.ExpectQuoted("a key in quotes", spec.key)) return false;
  if (!parser.ExpectSign("=") || !ParseBlob(parser, spec.value)) return false;
  delegate.specs.push_back(std::move(spec));
  return true;
}

// `delegate "Id" = hex "..."` says what a delegate is, `delegate 0(%1)` calls it.
bool ParseDelegate(Parser& parser) {
  const Position at = parser.token.at;
  if (!parser.Advance()) return false;
  if (parser.token.kind == TokenKind::kText) {
    Delegate delegate;
    if (!parser.ExpectQuoted("an id in quotes", delegate.id)) return false;
    if (parser.IsSign("=") && (!parser.Advance() || !ParseBlob(parser, delegate.blob)))
      return false;
    while (parser.IsWord("with")) {
      if (!ParseSpec(parser, delegate)) return false;
    }
    parser.draft.method.delegates.push_back(std::move(delegate));
    return true;
  }
  int64_t number = 0;
  std::vector<int32_t> args;
  if (!parser.ExpectCount("the number of a delegate, or its id in quotes", kMostIndex, number) ||
      !ParseOperands(parser, args)) {
    return false;
  }
  Instruction& call = AddInstruction(parser, at, InstructionKind::kDelegateCall);
  call.target = static_cast<int32_t>(number);
  SetArguments(parser.draft.method, call, args);
  return true;
}

bool ParseResult(Parser& parser, std::vector<int32_t>& results, bool& untyped) {
  const Position at = parser.token.at;
  int32_t& value = results.emplace_back();
  if (!parser.ExpectValue(value)) return false;
  if (!parser.IsSign(":")) {
    untyped = true;
    return true;
  }
  Value content;
  return parser.Advance() && ParseType(parser, content) && parser.Declare(value, at, content);
}

// "%3: float32[2] = aten::neg.out(%1)", or the first half of it.
bool ParseValueLine(Parser& parser) {
  std::vector<int32_t> results;
  bool untyped = false;
  if (!ParseResult(parser, results, untyped)) return false;
  while (parser.IsSign(",")) {
    if (!parser.Advance() || !ParseResult(parser, results, untyped)) return false;
  }
  if (!parser.IsSign("=")) {
    return untyped ? parser.Expected("':' and a type, or '=' and an instruction") : true;
  }
  if (!parser.Advance()) return false;
  if (parser.IsWord("move")) return ParseMove(parser, results);
  const bool contents = parser.IsSign("[") || parser.IsWord("zeros") || parser.IsWord("fill") ||
                        parser.IsWord("data") || parser.token.kind == TokenKind::kBuffer;
  if (contents && results.size() == 1) return ParseContents(parser, results.front());
  if (parser.token.kind == TokenKind::kOperator || parser.IsWord("operator") ||
      parser.IsWord("call")) {
    return ParseKernelCall(parser, results);
  }
  return parser.Expected("an operator, 'move', or a tensor's contents ('[...]', 'zeros', 'fill')");
}

bool ParseLabel(Parser& parser) {
  Draft& draft = parser.draft;
  const Position at = parser.token.at;
  const auto next = static_cast<int32_t>(draft.method.instructions.size());
  if (!draft.labels.emplace(parser.token.text, next).second) {
    return parser.Fail(at, "the label '" + std::string(parser.token.text) +
                               "' is in this method already. Use another word");
  }
  return parser.Advance() && parser.ExpectSign(":");
}

}  // namespace

int32_t OperatorNamed(Draft& draft, std::string name) {
  const auto next = static_cast<int32_t>(draft.method.operators.size());
  const auto [found, is_new] = draft.operators.emplace(name, next);
  if (is_new) {
    const OpSchema* schema = SignatureOf(name);
    draft.method.operators.push_back({std::move(name), schema});
  }
  return found->second;
}

bool ParseOperatorName(Parser& parser, std::string& name) {
  if (parser.token.kind == TokenKind::kText) {
    return parser.ExpectQuoted("an operator", name);
  }
  std::string_view word;
  if (!parser.ExpectName(TokenKind::kOperator, "an operator, such as aten::add.out", word)) {
    return false;
  }
  name = word;
  return true;
}

bool ParseLine(Parser& parser) {
  if (parser.token.kind == TokenKind::kValue) return ParseValueLine(parser);
  if (parser.token.kind == TokenKind::kOperator) return ParseKernelCall(parser, {});
  if (parser.token.kind == TokenKind::kWord) {
    text::Lexer ahead = parser.lexer;
    const Token next = ahead.Next();
    if (next.kind == TokenKind::kSign && next.text == ":") return ParseLabel(parser);
  }
  if (parser.IsWord("call") || parser.IsWord("operator")) return ParseKernelCall(parser, {});
  if (parser.IsWord("delegate")) return ParseDelegate(parser);
  if (parser.IsWord("jump_false")) return ParseJump(parser);
  if (parser.IsWord("free")) return ParseFree(parser);
  return parser.Expected("a value, an instruction, a label, or 'return'");
}

}  // namespace pteproof::pteasm
