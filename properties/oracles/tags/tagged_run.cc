#include "properties/oracles/tags/tagged_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof {
namespace {

// Why the method's instructions, or the bytes that they touch, are not the same in every call.
std::optional<std::string> WhyNotStraight(const Method& method) {
  for (const Tensor& tensor : method.tensors) {
    if (tensor.dynamism != Dynamism::kStatic) return "has dynamic sizes";
  }
  for (const Instruction& instruction : method.instructions) {
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        if (method.operators[static_cast<size_t>(instruction.target)].schema == nullptr) {
          return "calls an operator that is not in the table";
        }
        break;
      case InstructionKind::kDelegateCall:
        return "calls a delegate";
      case InstructionKind::kJumpFalse:
        return "has jumps";
      case InstructionKind::kMove:
      case InstructionKind::kFree:
        break;
    }
  }
  return std::nullopt;
}

ReplayOptions With(ReplayOptions options, TagMachine* tags) {
  options.tags = tags;
  return options;
}

}  // namespace

TaggedRun::TaggedRun(const Program& program, const ReplayOptions& options)
    : program_(&program),
      tags_(std::make_unique<TagMachine>(program, options.policy)),
      replay_(std::make_unique<Replay>(program, With(options, tags_.get()))),
      called_(program.methods.size()) {}

Result<std::vector<Datum>, ReplayError> TaggedRun::Call(int32_t method,
                                                        std::span<const Datum> inputs) {
  auto outputs = replay_->Call(method, inputs);
  if (!outputs.ok()) return outputs;
  called_[static_cast<size_t>(method)] = true;
  if (!lost_) lost_ = tags_->LostState();
  return outputs;
}

std::optional<std::string> TaggedRun::WhyNoProof() const {
  if (finding()) return "a read sees the wrong bytes";
  for (size_t m = 0; m < program_->methods.size(); ++m) {
    const Method& method = program_->methods[m];
    if (method.instructions.empty()) continue;
    if (!called_[m]) return fmt::format("'{}' is not called", method.name);
    if (const auto why = WhyNotStraight(method)) return fmt::format("'{}' {}", method.name, *why);
  }
  if (lost_) return fmt::format("bytes of {} were overwritten", *lost_);
  return std::nullopt;
}

}  // namespace pteproof
