#include "cli/touches.h"

#include <cstddef>
#include <utility>

namespace pteproof {
namespace {

bool HoldsValues(ValueKind kind) {
  return kind == ValueKind::kIntList || kind == ValueKind::kTensorList ||
         kind == ValueKind::kOptionalTensorList;
}

// Marks values as touched, each list's items once for all instructions that name the list.
class Marker {
 public:
  explicit Marker(const Method& method) : method_(method), touches_(method.values.size()) {}

  void Mark(int32_t value, int32_t instruction) {
    Touch& touch = touches_[static_cast<size_t>(value)];
    if (touch.first < 0) touch.first = instruction;
    touch.last = instruction;
  }

  // Lists hand what touched them to their items. Lists do not hold lists.
  std::vector<Touch> Finish() && {
    for (size_t v = 0; v < touches_.size(); ++v) {
      const Value& value = method_.values[v];
      if (!HoldsValues(value.kind) || touches_[v].first < 0) continue;
      for (const int32_t item : method_.Ints(value.items)) Widen(item, touches_[v]);
    }
    return std::move(touches_);
  }

 private:
  void Widen(int32_t value, const Touch& by) {
    if (value < 0) return;
    Touch& touch = touches_[static_cast<size_t>(value)];
    if (touch.first < 0 || by.first < touch.first) touch.first = by.first;
    if (by.last > touch.last) touch.last = by.last;
  }

  const Method& method_;
  std::vector<Touch> touches_;
};

void MarkOperands(const Method& method, int32_t index, Marker& marker) {
  const Instruction& instruction = method.instructions[static_cast<size_t>(index)];
  switch (instruction.kind) {
    case InstructionKind::kKernelCall:
    case InstructionKind::kDelegateCall:
      for (const int32_t value : method.Ints(instruction.args)) marker.Mark(value, index);
      return;
    case InstructionKind::kMove:
      marker.Mark(instruction.target, index);
      marker.Mark(instruction.other, index);
      return;
    case InstructionKind::kJumpFalse:
    case InstructionKind::kFree:
      marker.Mark(instruction.target, index);
      return;
  }
}

}  // namespace

std::vector<Touch> TouchesOf(const Method& method) {
  Marker marker(method);
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    MarkOperands(method, static_cast<int32_t>(i), marker);
  }
  return std::move(marker).Finish();
}

}  // namespace pteproof
