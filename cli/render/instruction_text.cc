#include "cli/render/instruction_text.h"

#include <fmt/format.h>

#include "cli/io/quote.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

std::string KernelText(const Method& method, const Instruction& instruction) {
  const Operator& op = method.operators[static_cast<size_t>(instruction.target)];
  const std::span<const int32_t> args = method.Ints(instruction.args);
  std::string text = Quote(op.name) + "(";
  for (size_t i = 0; i < args.size(); ++i) {
    const bool named = op.schema != nullptr && i < op.schema->args.size();
    const bool returned = op.schema != nullptr && !named;
    if (returned) continue;
    text += i > 0 ? ", " : "";
    text += named ? fmt::format("{}=v{}", op.schema->args[i].name, args[i])
                  : fmt::format("v{}", args[i]);
  }
  text += ")";
  if (op.schema == nullptr) return text + "  (operator unknown)";
  for (size_t i = op.schema->args.size(); i < args.size(); ++i) {
    text += fmt::format(" -> v{}", args[i]);
  }
  return text;
}

std::string DelegateText(const Method& method, const Instruction& instruction) {
  const Delegate& delegate = method.delegates[static_cast<size_t>(instruction.target)];
  std::string text = fmt::format("delegate {} {}(", instruction.target, Quote(delegate.id));
  std::string_view separator;
  for (const int32_t value : method.Ints(instruction.args)) {
    text += fmt::format("{}v{}", separator, value);
    separator = ", ";
  }
  return text + ")";
}

}  // namespace

std::string InstructionText(const Method& method, const Instruction& instruction) {
  switch (instruction.kind) {
    case InstructionKind::kKernelCall:
      return KernelText(method, instruction);
    case InstructionKind::kDelegateCall:
      return DelegateText(method, instruction);
    case InstructionKind::kMove:
      return fmt::format("move v{} to v{}", instruction.target, instruction.other);
    case InstructionKind::kJumpFalse:
      return fmt::format("if not v{}, jump to {}", instruction.target, instruction.other);
    case InstructionKind::kFree:
      return fmt::format("free v{}", instruction.target);
  }
  return "";
}

}  // namespace pteproof
