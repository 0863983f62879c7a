// Idea: numbers change with every export, meaning does not. A value is its name, or else its type
// and sizes; an instruction is its operator; two methods have no order; bytes, indices and
// explanations are left out.
#include "cli/load/fingerprint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/sha256.h"

namespace pteproof {
namespace {

// The version of what follows: it changes if a fingerprint is made of other things.
constexpr std::string_view kFingerprintVersion = "1";
constexpr size_t kDigits = 32;

// Words of its own: stored baselines hold their digests, so that they must not change with what a
// report or a picture says.
std::string MeaningOf(const Method& method, const Instruction& instruction) {
  const auto target = static_cast<size_t>(instruction.target);
  switch (instruction.kind) {
    case InstructionKind::kKernelCall:
      return method.operators[target].name;
    case InstructionKind::kDelegateCall:
      return "delegate " + method.delegates[target].id;
    case InstructionKind::kMove:
      return "move";
    case InstructionKind::kJumpFalse:
      return "jump";
    case InstructionKind::kFree:
      return "free";
  }
  return "";
}

std::string MeaningOf(const Method& method, int32_t value) {
  if (value < 0 || static_cast<size_t>(value) >= method.values.size()) return "none";
  const Tensor* tensor = method.TensorOf(value);
  if (tensor == nullptr) {
    return fmt::format("kind {}", static_cast<int>(method.values[static_cast<size_t>(value)].kind));
  }
  const std::string_view name = method.NameOf(value);
  if (!name.empty()) return std::string(name);
  return fmt::format("{} [{}]", Name(tensor->dtype), fmt::join(method.Ints(tensor->sizes), ","));
}

}  // namespace

std::string FingerprintOf(const Finding& finding, const Program& program) {
  std::vector<std::string> sides = {fmt::format("{} {}", finding.bank, finding.method)};
  if (!finding.other_method.empty()) {
    sides.push_back(fmt::format("{} {}", finding.other_bank, finding.other_method));
  }
  std::ranges::sort(sides);  // which of two methods comes first is their order in the file
  std::string text = fmt::format("{}\n{}\n{} {}\n{}\n", kFingerprintVersion, finding.rule,
                                 Name(finding.severity), finding.undecided, fmt::join(sides, "\n"));
  const auto method = std::ranges::find(program.methods, finding.method, &Method::name);
  if (method != program.methods.end()) {
    const auto at = static_cast<size_t>(finding.instruction);
    if (finding.instruction >= 0 && at < method->instructions.size()) {
      text += MeaningOf(*method, method->instructions[at]) + "\n";
    }
    // Between two methods a value may be one of either: the methods, the bank and the operator
    // tell.
    std::vector<std::string> values;
    for (const int32_t value : finding.values) {
      if (finding.other_method.empty()) values.push_back(MeaningOf(*method, value));
    }
    std::ranges::sort(values);
    text += fmt::format("{}", fmt::join(values, "\n"));
  }
  return Sha256Hex(std::as_bytes(std::span(text))).substr(0, kDigits);
}

}  // namespace pteproof
