// A program is printed method by method: values that no instruction makes first, one a line, then
// the instructions, in which a value gets its type where it is made.
#include "runtime/pteasm/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "reference/text/literals.h"
#include "reference/text/names.h"
#include "runtime/pteasm/banks.h"
#include "runtime/pteasm/call_form.h"
#include "runtime/pteasm/literals.h"
#include "runtime/pteasm/printer.h"
#include "runtime/structure_text.h"

namespace pteproof::pteasm {
namespace {

// Names as words if they are, else in quotes.
std::string OperatorText(std::string_view name) {
  return text::IsOperatorName(name) ? std::string(name) : text::QuotedText(name);
}

std::string NameText(std::string_view name) {
  return text::IsIdentifier(name) ? std::string(name) : text::QuotedText(name);
}

// The operators in the order in which instructions use them first.
std::vector<std::string_view> OperatorsInUse(const Method& method) {
  std::vector<std::string_view> names;
  std::map<std::string_view, bool> seen;
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind != InstructionKind::kKernelCall) continue;
    const std::string_view name = method.operators[static_cast<size_t>(instruction.target)].name;
    if (seen.emplace(name, true).second) names.push_back(name);
  }
  return names;
}

// Which operators are not the first of their name.
std::vector<bool> NamesakesOf(const Method& method) {
  std::vector<bool> later;
  std::map<std::string_view, bool> seen;
  for (const Operator& op : method.operators) later.push_back(!seen.emplace(op.name, true).second);
  return later;
}

void PrintClauses(Printer& printer, const Method& method) {
  std::string& text = printer.text;
  if (ImpliedBanks(method) != method.bank_sizes) {
    text += fmt::format(" banks [{}]", fmt::join(method.bank_sizes, ", "));
  }
  for (const BankDevice& device : method.bank_devices) {
    text +=
        fmt::format(" bank {} on({}, {})", device.bank, device.device_type, device.device_index);
  }
  if (!std::ranges::equal(method.operators, OperatorsInUse(method), {}, &Operator::name)) {
    text += " operators [";
    for (size_t i = 0; i < method.operators.size(); ++i) {
      text += (i > 0 ? ", " : "") + OperatorText(method.operators[i].name);
    }
    text += "]";
  }
  if (method.input_structure != PositionalInputs(method.inputs.size())) {
    text += " inputs_as " + text::QuotedText(method.input_structure);
  }
  if (method.output_structure != FlatOutputs(method.outputs.size())) {
    text += " outputs_as " + text::QuotedText(method.output_structure);
  }
}

// Calls visit(value) for each value that an operand is or lists.
template <class Visit>
void ForEachNamed(const Method& method, int32_t operand, Visit visit) {
  visit(operand);
  const Value& value = method.values[static_cast<size_t>(operand)];
  const bool is_list =
      value.kind == ValueKind::kTensorList || value.kind == ValueKind::kOptionalTensorList;
  if (!is_list && value.kind != ValueKind::kIntList) return;
  for (const int32_t item : method.Ints(value.items)) {
    if (item >= 0) visit(item);
  }
}

struct Mentions {
  std::vector<int32_t> operands;
  std::vector<int32_t> results;
};

Mentions MentionsOf(const MethodPrinter& printer, const Instruction& instruction) {
  switch (instruction.kind) {
    case InstructionKind::kKernelCall: {
      CallParts parts = PartsOf(printer.method, instruction, printer.literal);
      return {std::move(parts.operands), std::move(parts.results)};
    }
    case InstructionKind::kDelegateCall: {
      const auto args = printer.method.Ints(instruction.args);
      return {{args.begin(), args.end()}, {}};
    }
    case InstructionKind::kMove:
      return {{instruction.target}, {instruction.other}};
    case InstructionKind::kJumpFalse:
    case InstructionKind::kFree:
      return {{instruction.target}, {}};
  }
  return {};
}

// The values whose types must be told before the instructions: all but literals, those that are in
// the head, and those that instructions make before they are used.
std::vector<bool> NeedLines(const MethodPrinter& printer) {
  const Method& method = printer.method;
  std::vector<bool> used(method.values.size());
  std::vector<bool> made(method.values.size());
  for (const Instruction& instruction : method.instructions) {
    const Mentions mentions = MentionsOf(printer, instruction);
    for (const int32_t operand : mentions.operands) {
      ForEachNamed(method, operand, [&](int32_t v) { used[static_cast<size_t>(v)] = true; });
    }
    for (const int32_t result : mentions.results) {
      const auto index = static_cast<size_t>(result);
      if (!used[index] && !HasContents(method, result)) made[index] = true;
      used[index] = true;
    }
  }
  std::vector<bool> need(method.values.size());
  for (size_t v = 0; v < need.size(); ++v) {
    need[v] = !made[v] && !printer.literal[v] && !printer.declared[v];
  }
  return need;
}

void PrintOperands(MethodPrinter& printer, std::span<const int32_t> operands) {
  printer.out.text += "(";
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) printer.out.text += ", ";
    PrintUse(printer, operands[i]);
  }
  printer.out.text += ")";
}

void PrintKernelCall(MethodPrinter& printer, const Instruction& call, bool namesake) {
  std::string& text = printer.out.text;
  const CallParts parts = PartsOf(printer.method, call, printer.literal);
  for (size_t i = 0; i < parts.results.size(); ++i) {
    if (i > 0) text += ", ";
    PrintResult(printer, parts.results[i]);
  }
  if (!parts.results.empty()) text += " = ";
  const std::string& name = printer.method.operators[static_cast<size_t>(call.target)].name;
  const bool plain = text::IsOperatorName(name) && !namesake;
  if (parts.raw) text += "call ";
  if (!parts.raw && !plain) text += "operator ";
  text += namesake ? std::to_string(call.target) : OperatorText(name);
  PrintOperands(printer, parts.operands);
}

void PrintInstruction(MethodPrinter& printer, const Instruction& instruction,
                      const std::vector<bool>& namesakes) {
  std::string& text = printer.out.text;
  switch (instruction.kind) {
    case InstructionKind::kKernelCall:
      return PrintKernelCall(printer, instruction,
                             namesakes[static_cast<size_t>(instruction.target)]);
    case InstructionKind::kDelegateCall:
      text += fmt::format("delegate {}", instruction.target);
      return PrintOperands(printer, printer.method.Ints(instruction.args));
    case InstructionKind::kMove:
      PrintResult(printer, instruction.other);
      text += fmt::format(" = move %{}", instruction.target);
      return;
    case InstructionKind::kJumpFalse:
      text += "jump_false ";
      PrintUse(printer, instruction.target);
      text += fmt::format(", i{}", instruction.other);
      return;
    case InstructionKind::kFree:
      text += fmt::format("free %{}", instruction.target);
      return;
  }
}

void PrintInstructions(MethodPrinter& printer) {
  const Method& method = printer.method;
  std::vector<bool> targets(method.instructions.size() + 1);
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind == InstructionKind::kJumpFalse) {
      targets[static_cast<size_t>(instruction.other)] = true;
    }
  }
  const std::vector<bool> namesakes = NamesakesOf(method);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i]) printer.out.text += fmt::format("i{}:\n", i);
    if (i == method.instructions.size()) break;
    printer.out.text += "  ";
    PrintInstruction(printer, method.instructions[i], namesakes);
    printer.out.text += "\n";
  }
}

void PrintDelegate(Printer& printer, const Delegate& delegate) {
  printer.text += "  delegate " + text::QuotedText(delegate.id);
  if (!delegate.blob.empty()) {
    printer.text += " = ";
    PrintBlob(printer, delegate.blob, "    ");
  }
  for (const CompileSpec& spec : delegate.specs) {
    printer.text += "\n    with " + text::QuotedText(spec.key) + " = ";
    PrintBlob(printer, spec.value, "      ");
  }
  printer.text += "\n";
}

void PrintLines(MethodPrinter& printer) {
  const std::vector<bool> need = NeedLines(printer);
  for (size_t v = 0; v < need.size(); ++v) {
    if (!need[v]) continue;
    const auto value = static_cast<int32_t>(v);
    printer.out.text += "  ";
    PrintResult(printer, value);
    if (HasContents(printer.method, value)) {
      PrintContents(printer.out, *printer.method.TensorOf(value));
    }
    printer.out.text += "\n";
  }
}

void PrintMethod(Printer& out, const Method& method) {
  MethodPrinter printer{out, method, LiteralsOf(method), std::vector<bool>(method.values.size())};
  out.text += "\nmethod " + NameText(method.name) + "(";
  for (size_t i = 0; i < method.inputs.size(); ++i) {
    if (i > 0) out.text += ", ";
    if (HasContents(method, method.inputs[i])) {
      out.text += fmt::format("%{}", method.inputs[i]);
    } else {
      PrintResult(printer, method.inputs[i]);
    }
  }
  out.text += ")";
  PrintClauses(out, method);
  out.text += " {\n";
  for (const Delegate& delegate : method.delegates) PrintDelegate(out, delegate);
  PrintLines(printer);
  PrintInstructions(printer);
  out.text += "  return";
  for (size_t i = 0; i < method.outputs.size(); ++i) {
    out.text += i > 0 ? ", " : " ";
    PrintUse(printer, method.outputs[i]);
  }
  out.text += "\n}\n";
}

}  // namespace

std::string Print(const Program& program, const Refer& refer) {
  Printer printer{program, refer};
  printer.text = "program\n";
  for (const NamedBlob& named : program.named_data) {
    printer.text += "\nnamed " + text::QuotedText(named.key) + " = ";
    PrintBlob(printer, named.blob, "  ");
    printer.text += "\n";
  }
  FindShared(printer);
  PrintShared(printer);
  for (const Method& method : program.methods) PrintMethod(printer, method);
  return std::move(printer.text);
}

}  // namespace pteproof::pteasm
