#include "properties/oracles/value_order.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

constexpr int kFewInOrder = 5;

}  // namespace

bool ValuesAscend(const Method& method, std::span<const int32_t> maker) {
  std::vector<bool> known(method.values.size());
  int32_t highest = -1;
  int in_order = 0;
  for (const int32_t v : method.inputs) {
    if (v <= highest) return false;
    highest = v;
    known[static_cast<size_t>(v)] = true;
    ++in_order;
  }
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& call = method.instructions[i];
    if (call.kind != InstructionKind::kKernelCall && call.kind != InstructionKind::kDelegateCall) {
      continue;
    }
    int32_t top = highest;
    for (const int32_t v : method.Ints(call.args)) {
      const auto at = static_cast<size_t>(v);
      const bool is_number = !IsTensorLike(method.values[at].kind);
      const bool introduced = is_number || maker[at] == static_cast<int32_t>(i);
      if (!introduced || known[at]) continue;
      known[at] = true;
      if (v <= highest) return false;
      top = std::max(top, v);
      ++in_order;
    }
    highest = top;
  }
  return in_order >= kFewInOrder;
}

}  // namespace pteproof
