#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/op_schema.h"
#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

constexpr uint64_t kBufferAlignment = 16;

// An operator in a branch reads a buffer with a stored initial value, which is stored to later.
struct BranchRead {
  CallAt call;
  size_t arg = 0;
};

bool IsStoredToAfter(const std::vector<CallAt>& copies, const CallAt& read, int32_t buffer) {
  return std::ranges::any_of(copies, [&](const CallAt& copy) {
    return copy.method == read.method && copy.instruction > read.instruction &&
           copy.arg(0) == buffer;
  });
}

bool IsBehindAJump(const CallAt& at) {
  const auto& instructions = at.method->instructions;
  return std::any_of(instructions.begin(),
                     instructions.begin() + static_cast<std::ptrdiff_t>(at.instruction),
                     [](const Instruction& i) { return i.kind == InstructionKind::kJumpFalse; });
}

std::vector<BranchRead> BranchReads(Program& program) {
  const auto copies =
      CallsOf(program, [](const Method&, const Operator& op, auto) { return IsCopy(op); });
  const auto known = CallsOf(
      program, [](const Method&, const Operator& op, auto) { return op.schema != nullptr; });
  std::vector<BranchRead> reads;
  for (const CallAt& call : known) {
    if (!IsBehindAJump(call)) continue;
    const Instruction& at = call.method->instructions[call.instruction];
    const OpSchema& schema = *call.method->operators[static_cast<size_t>(at.target)].schema;
    for (size_t a = 0; a < schema.args.size() && a < at.args.count; ++a) {
      const TensorAt operand = {call.method, call.arg(a)};
      const bool only_read = !schema.args[a].out && schema.args[a].access == Access::kRead;
      if (!only_read || call.method->TensorOf(operand.value) == nullptr) continue;
      const bool stored = HasBytes(operand) && operand.get().data_index > 0;
      if (stored && IsStoredToAfter(copies, call, operand.value)) reads.push_back({call, a});
    }
  }
  return reads;
}

// The view through which a branch reads a buffer is planned as a buffer of its own: it has bytes of
// its own, which begin with the buffer's initial value, and which no store reaches.
bool ViewTakenForBuffer(const Plan& plan) {
  const auto read = PickOf(BranchReads(plan.program), plan);
  if (!read) return false;
  Method& method = *read->call.method;
  int32_t& operand = read->call.arg(read->arg);
  Value value = method.values[static_cast<size_t>(operand)];
  Tensor view = *method.TensorOf(operand);
  uint64_t& size = method.bank_sizes[view.bank];
  view.offset = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  size = view.offset + view.nbytes;
  value.tensor = static_cast<uint32_t>(method.tensors.size());
  operand = static_cast<int32_t>(method.values.size());
  method.tensors.push_back(view);
  method.values.push_back(value);
  return true;
}

const RegisterDefect kViewTakenForBuffer(
    {.name = "view-taken-for-buffer", .entry = 0, .invariant = "I4", .damage = ViewTakenForBuffer});

}  // namespace
}  // namespace pteproof
