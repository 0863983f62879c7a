#include "properties/rules/wording.h"

#include <fmt/format.h>

#include <utility>

#include "properties/vocabulary.h"

namespace pteproof::checks {

std::string Words(const Place& place) {
  if (place.bank == 0) return "unplanned memory";
  return fmt::format("bank {} [{},{})", place.bank, place.lo, place.hi);
}

std::string ValueWords(const Method& method, int32_t value) {
  std::string words = fmt::format("v{}", value);
  const Tensor* tensor = method.TensorOf(value);
  if (tensor == nullptr) return words;
  if (tensor->name.count > 0) words += fmt::format(" '{}'", method.Text(tensor->name));
  if (tensor->planned) {
    words += ' ' + Words({tensor->bank, tensor->offset, tensor->offset + tensor->nbytes});
  } else if (tensor->external) {
    words += " (data of a .ptd)";
  } else if (tensor->data_index > 0) {
    words += fmt::format(" (constant data {})", tensor->data_index);
  }
  return words;
}

std::string InstructionWords(const Method& method, int32_t instruction) {
  const auto count = static_cast<int32_t>(method.instructions.size());
  if (instruction < 0) return "the caller";
  if (instruction == count) return "the output";
  if (instruction > count) return "the next call";
  const Instruction& at = method.instructions[static_cast<size_t>(instruction)];
  switch (at.kind) {
    case InstructionKind::kKernelCall:
      return fmt::format("instruction {} ({})", instruction,
                         method.operators[static_cast<size_t>(at.target)].name);
    case InstructionKind::kDelegateCall:
      return fmt::format("instruction {} (delegate {})", instruction,
                         method.delegates[static_cast<size_t>(at.target)].id);
    case InstructionKind::kMove:
      return fmt::format("instruction {} (move)", instruction);
    case InstructionKind::kJumpFalse:
      return fmt::format("instruction {} (jump)", instruction);
    case InstructionKind::kFree:
      return fmt::format("instruction {} (free)", instruction);
  }
  return fmt::format("instruction {}", instruction);
}

Finding FindingAt(std::string_view rule, Severity severity, const Method& method,
                  int32_t instruction, std::vector<int32_t> values, const Place& place) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.method = method.name;
  finding.instruction =
      instruction < static_cast<int32_t>(method.instructions.size()) ? instruction : -1;
  finding.values = std::move(values);
  finding.bank = place.bank;
  if (place.bank != 0) finding.bytes = ByteRange{place.lo, place.hi};
  return finding;
}

std::string ReaderWords(const MethodFlow& flow, int32_t reader, int32_t name) {
  if (reader != flow.instruction_count()) return InstructionWords(flow.method, reader);
  const auto& outputs = flow.method.outputs;
  const auto root = [&](int32_t v) { return flow.aliases.root[static_cast<size_t>(v)]; };
  auto at = std::ranges::find(outputs, name);
  if (at == outputs.end()) at = std::ranges::find(outputs, root(name), root);
  if (at == outputs.end()) return InstructionWords(flow.method, reader);
  return fmt::format("output {}", at - outputs.begin());
}

}  // namespace pteproof::checks
