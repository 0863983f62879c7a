// Programs and methods. The parser goes through the text once, without recursion; each value,
// instruction and label keeps its place, so that what the reader of programs says of them later can
// be told with line and column.
#include "runtime/pteasm/parse.h"

#include <limits>
#include <utility>

#include "runtime/pteasm/call_form.h"
#include "runtime/pteasm/limits.h"
#include "runtime/pteasm/parser.h"

namespace pteproof::pteasm {
namespace {

bool ParseNamed(Parser& parser) {
  NamedBlob named;
  if (!parser.Advance() || !parser.ExpectQuoted("a key in quotes", named.key)) return false;
  if (!parser.ExpectSign("=") || !ParseBlob(parser, named.blob)) return false;
  parser.out.program.named_data.push_back(std::move(named));
  return true;
}

bool ParseInput(Parser& parser) {
  const Position at = parser.token.at;
  int32_t& value = parser.draft.method.inputs.emplace_back();
  if (!parser.ExpectValue(value)) return false;
  if (!parser.IsSign(":")) return true;
  Value content;
  return parser.Advance() && ParseType(parser, content) && parser.Declare(value, at, content);
}

bool ParseBanks(Parser& parser) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (parser.draft.has_banks) return parser.FailHere("the banks are said twice. Leave one out");
  parser.draft.has_banks = true;
  if (!parser.Advance() || !parser.ExpectSign("[")) return false;
  return ParseList(parser, "]", [&] {
    int64_t bytes = 0;
    if (!parser.ExpectCount("the size of a bank", kMost, bytes)) return false;
    parser.draft.method.bank_sizes.push_back(static_cast<uint64_t>(bytes));
    return true;
  });
}

// "bank 1 on(1, 0)".
bool ParseBankDevice(Parser& parser) {
  int64_t bank = 0;
  BankDevice device;
  if (!parser.Advance() || !parser.ExpectCount("a bank", INT32_MAX, bank)) return false;
  device.bank = static_cast<int32_t>(bank);
  const Position at = parser.token.at;
  if (!ParseDevice(parser, device.device_type, device.device_index)) return false;
  if (device.device_type == 0) {
    return parser.FailAs(rule::kFileDevice, at, "banks are on the CPU, type 0, without a word");
  }
  parser.draft.method.bank_devices.push_back(device);
  return true;
}

bool ParseOperators(Parser& parser) {
  if (!parser.Advance() || !parser.ExpectSign("[")) return false;
  return ParseList(parser, "]", [&] {
    std::string name;
    if (!ParseOperatorName(parser, name)) return false;
    const auto next = static_cast<int32_t>(parser.draft.method.operators.size());
    // A second one of that name can be called by its number alone.
    if (OperatorNamed(parser.draft, name) != next) {
      const OpSchema* schema = SignatureOf(name);
      parser.draft.method.operators.push_back({std::move(name), schema});
    }
    return true;
  });
}

bool ParseClauses(Parser& parser) {
  while (!parser.IsSign("{")) {
    if (parser.IsWord("banks")) {
      if (!ParseBanks(parser)) return false;
    } else if (parser.IsWord("bank")) {
      if (!ParseBankDevice(parser)) return false;
    } else if (parser.IsWord("operators")) {
      if (!ParseOperators(parser)) return false;
    } else if (parser.IsWord("inputs_as") || parser.IsWord("outputs_as")) {
      auto& structure =
          parser.IsWord("inputs_as") ? parser.draft.inputs_as : parser.draft.outputs_as;
      if (!parser.Advance() || !parser.ExpectQuoted("a text in quotes", structure.emplace())) {
        return false;
      }
    } else {
      return parser.Expected("'{', or 'banks', 'bank', 'operators', 'inputs_as', 'outputs_as'");
    }
  }
  return parser.Advance();
}

bool ParseReturn(Parser& parser) {
  std::vector<int32_t>& outputs = parser.draft.method.outputs;
  if (!parser.Advance()) return false;
  if (parser.IsSign("}")) return parser.Advance();
  while (ParseOperand(parser, outputs.emplace_back())) {
    if (parser.IsSign("}")) return parser.Advance();
    if (!parser.IsSign(",")) return parser.Expected("',' or '}'");
    if (!parser.Advance()) return false;
  }
  return false;
}

bool ParseName(Parser& parser) {
  Method& method = parser.draft.method;
  const Position at = parser.token.at;
  if (parser.token.kind == TokenKind::kWord) {
    method.name = parser.token.text;
    if (!parser.Advance()) return false;
  } else if (!parser.ExpectQuoted("the name of a method", method.name)) {
    return false;
  }
  if (parser.methods.insert(method.name).second) return true;
  return parser.FailAs(
      rule::kFileMethodName, at,
      "another method has this name. Runtimes load the first one only: rename one");
}

bool ParseMethod(Parser& parser) {
  parser.draft = {};
  parser.draft.places.method = parser.token.at;
  if (!parser.ExpectWord("method") || !ParseName(parser) || !parser.ExpectSign("(")) return false;
  if (!ParseList(parser, ")", [&] { return ParseInput(parser); })) return false;
  if (!ParseClauses(parser)) return false;
  while (!parser.IsWord("return")) {
    if (!ParseLine(parser)) return false;
  }
  return ParseReturn(parser) && FinishMethod(parser);
}

bool ParseProgram(Parser& parser) {
  if (!parser.Advance() || !parser.ExpectWord("program")) return false;
  while (parser.IsWord("named") || parser.IsWord("contents")) {
    if (!(parser.IsWord("named") ? ParseNamed(parser) : ParseShared(parser))) return false;
  }
  while (parser.IsWord("method")) {
    if (!ParseMethod(parser)) return false;
  }
  if (parser.token.kind == TokenKind::kEnd) return true;
  if (parser.IsWord("named") || parser.IsWord("contents")) {
    return parser.FailHere("named data and contents must be said before the first method");
  }
  return parser.Expected("'named', 'contents' or 'method'");
}

}  // namespace

Result<ProgramText, TextError> ParseText(std::string_view text, const text::DataOf& data_of) {
  if (text.size() > kLongestText) {
    return TextError{1, 1, rule::kFileText,
                     "the text is longer than " + std::to_string(kLongestText) + " bytes"};
  }
  Parser parser(data_of);
  parser.lexer.rest = text;
  if (ParseProgram(parser)) return std::move(parser.out);
  text::ParseError& error = *parser.error;
  return TextError{error.line, error.column, parser.rule, std::move(error.message)};
}

}  // namespace pteproof::pteasm
