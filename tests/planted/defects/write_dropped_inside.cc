#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/op_schema.h"
#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A call whose result lies inside of a value that is wanted before and after it.
struct DroppedWrite {
  Method* method = nullptr;
  size_t instruction = 0;
  int32_t result = 0;
  int32_t around = 0;
};

// The one value that a call writes, all of it; -1: it is another kind of call.
int32_t ResultOf(const Method& method, const Instruction& call) {
  if (call.kind != InstructionKind::kKernelCall) return -1;
  const OpSchema* op = method.operators[static_cast<size_t>(call.target)].schema;
  if (op == nullptr || op->in_place || op->is_view) return -1;
  const auto args = method.Ints(call.args);
  int32_t result = -1;
  for (size_t a = 0; a < op->args.size(); ++a) {
    if (!op->args[a].out) continue;
    if (result >= 0 || op->args[a].access != Access::kWrite) return -1;
    result = args[a];
  }
  return result >= 0 && method.TensorOf(result) != nullptr ? result : -1;
}

bool IsListed(const Method& method, size_t first, size_t last, int32_t v) {
  for (size_t i = first; i < last; ++i) {
    const auto args = method.Ints(method.instructions[i].args);
    if (std::ranges::find(args, v) != args.end()) return true;
  }
  return false;
}

bool IsWantedAround(const Method& method, size_t i, int32_t v) {
  const bool before = IsListed(method, 0, i, v) || std::ranges::count(method.inputs, v) > 0;
  const bool after = IsListed(method, i + 1, method.instructions.size(), v) ||
                     std::ranges::count(method.outputs, v) > 0;
  return before && after;
}

bool CanHold(const Method& method, int32_t around, int32_t v) {
  const Tensor* outer = method.TensorOf(around);
  const Tensor* inner = method.TensorOf(v);
  return outer != nullptr && outer->planned && around != v && inner->nbytes > 0 &&
         outer->nbytes > inner->nbytes && outer->dtype == inner->dtype &&
         outer->dynamism == Dynamism::kStatic && inner->dynamism == Dynamism::kStatic;
}

void PutInside(Method& method, int32_t around, int32_t v) {
  const Tensor& outer = *method.TensorOf(around);
  Tensor& inner = method.tensors[method.values[static_cast<size_t>(v)].tensor];
  inner.planned = true;
  inner.bank = outer.bank;
  inner.offset = outer.offset;
}

// Erasing an instruction would move the targets of jumps.
bool IsStraight(const Method& method) {
  return std::ranges::none_of(method.instructions, [](const Instruction& at) {
    return at.kind == InstructionKind::kJumpFalse || at.kind == InstructionKind::kMove;
  });
}

// A write is dropped, and the bytes that its readers see are those of a value around them: the
// plan looks like one in which the result is a slice of that value.
bool WriteDroppedInside(const Plan& plan) {
  std::vector<DroppedWrite> all;
  for (Method& method : plan.program.methods) {
    if (!IsStraight(method)) continue;
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const int32_t v = ResultOf(method, method.instructions[i]);
      if (v < 0 || !IsListed(method, i + 1, method.instructions.size(), v)) continue;
      for (int32_t u = 0; u < static_cast<int32_t>(method.values.size()); ++u) {
        if (CanHold(method, u, v) && IsWantedAround(method, i, u)) {
          all.push_back({&method, i, v, u});
        }
      }
    }
  }
  const auto dropped = PickOf(all, plan);
  if (!dropped) return false;
  Method& method = *dropped->method;
  PutInside(method, dropped->around, dropped->result);
  method.instructions.erase(method.instructions.begin() +
                            static_cast<ptrdiff_t>(dropped->instruction));
  return true;
}

const RegisterDefect kWriteDroppedInside(
    {.name = "write-dropped-inside", .entry = 0, .invariant = "I3", .damage = WriteDroppedInside});

}  // namespace
}  // namespace pteproof
