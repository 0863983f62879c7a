#include "planner/lift/renumber.h"

#include <utility>

#include "planner/lift/touches.h"

namespace pteproof::planner {

std::vector<int32_t> Inverse(std::span<const int32_t> at) {
  return Inverse(at, at.size());
}

std::vector<int32_t> Inverse(std::span<const int32_t> at, size_t count) {
  std::vector<int32_t> inverse(count, -1);
  for (size_t v = 0; v < at.size(); ++v) inverse[IndexOf(at[v])] = static_cast<int32_t>(v);
  return inverse;
}

void Renumber(std::span<const int32_t> at, Method& method) {
  const auto now = [&](int32_t v) { return v < 0 ? v : at[IndexOf(v)]; };
  const auto renumbered = [&](Range range) {
    const auto ints = method.Ints(range);
    const std::vector<int32_t> old(ints.begin(), ints.end());
    const Range fresh = {static_cast<uint32_t>(method.ints.size()), range.count};
    for (const int32_t v : old) method.ints.push_back(now(v));
    return fresh;
  };
  std::vector<Value> values(method.values.size());
  for (size_t v = 0; v < values.size(); ++v) {
    Value& value = values[IndexOf(at[v])] = method.values[v];
    const bool lists_values = value.kind == ValueKind::kIntList || IsTensorLike(value.kind);
    if (lists_values && value.kind != ValueKind::kTensor) value.items = renumbered(value.items);
  }
  method.values = std::move(values);
  for (Instruction& each : method.instructions) {
    switch (each.kind) {
      case InstructionKind::kKernelCall:
      case InstructionKind::kDelegateCall:
        each.args = renumbered(each.args);
        break;
      case InstructionKind::kMove:
        each.other = now(each.other);
        each.target = now(each.target);
        break;
      case InstructionKind::kJumpFalse:
      case InstructionKind::kFree:
        each.target = now(each.target);
    }
  }
  for (int32_t& v : method.inputs) v = now(v);
  for (int32_t& v : method.outputs) v = now(v);
}

}  // namespace pteproof::planner
