#include "properties/oracles/first_listed.h"

namespace pteproof {

std::vector<int32_t> FirstListed(const Method& method) {
  constexpr int32_t kNever = INT32_MAX;
  std::vector<int32_t> first(method.values.size(), kNever);
  for (const int32_t v : method.inputs) first[static_cast<size_t>(v)] = -1;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& instruction = method.instructions[i];
    const auto note = [&](int32_t v) {
      if (v < 0) return;
      int32_t& known = first[static_cast<size_t>(v)];
      if (known == kNever) known = static_cast<int32_t>(i);
    };
    if (instruction.kind == InstructionKind::kMove) {
      note(instruction.target);
      note(instruction.other);
    }
    for (const int32_t v : method.Ints(instruction.args)) {
      note(v);
      const Value& value = method.values[static_cast<size_t>(v)];
      if (!IsTensorLike(value.kind) || value.kind == ValueKind::kTensor) continue;
      for (const int32_t item : method.Ints(value.items)) note(item);
    }
  }
  return first;
}

}  // namespace pteproof
