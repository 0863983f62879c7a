#include "properties/oracles/value_order.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

// A buffer, by its name or its data: it is there when the method is called.
bool HasPast(const Method& method, int32_t v) {
  const Tensor* t = method.TensorOf(v);
  return t != nullptr && (t->name.count > 0 || t->data_index > 0 || t->external);
}

}  // namespace

bool IsNoAccident(std::span<const int> ascending) {
  if (ascending.size() == 1) return ascending.front() >= 4;
  int64_t numberings = 1;
  for (const int values : ascending) {
    if (values < 0) return false;
    for (int i = 2; i <= values && numberings < 100; ++i) numberings *= i;
  }
  return numberings >= 100;
}

int AscendingValues(const Method& method, std::span<const int32_t> maker) {
  std::vector<bool> known(method.values.size());
  int32_t highest = -1;
  int in_order = 0;
  for (const int32_t v : method.inputs) {
    if (v <= highest) return -1;
    highest = v;
    known[static_cast<size_t>(v)] = true;
    ++in_order;
  }
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& call = method.instructions[i];
    if (call.kind == InstructionKind::kMove || call.kind == InstructionKind::kJumpFalse) {
      known[static_cast<size_t>(call.target)] = true;  // a number that later calls may name too
    }
    if (call.kind != InstructionKind::kKernelCall && call.kind != InstructionKind::kDelegateCall) {
      continue;
    }
    int32_t top = highest;
    for (const int32_t v : method.Ints(call.args)) {
      const auto at = static_cast<size_t>(v);
      const bool is_number = !IsTensorLike(method.values[at].kind);
      const bool introduced =
          is_number || (maker[at] == static_cast<int32_t>(i) && !HasPast(method, v));
      if (!introduced || known[at]) continue;
      known[at] = true;
      if (v <= highest) return -1;
      top = std::max(top, v);
      ++in_order;
      if (method.values[at].kind != ValueKind::kIntList) continue;
      for (const int32_t item :
           method.Ints(method.values[at].items)) {  // later calls name them too
        known[static_cast<size_t>(item)] = true;
        top = std::max(top, item);
      }
    }
    highest = top;
  }
  return in_order;
}

}  // namespace pteproof
