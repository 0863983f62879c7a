// What is done, and in which order: jumps, moves, frees, and instructions as a whole.
#include <algorithm>
#include <array>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

Method* MethodWithCode(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  return method == nullptr || method->instructions.empty() ? nullptr : method;
}

Instruction* AnyOfKind(Program& program, Random& random, InstructionKind kind, Method*& method) {
  method = AnyMethod(program, random);
  if (method == nullptr) return nullptr;
  return AnyOf(method->instructions, random, [&](const Instruction& i) { return i.kind == kind; });
}

bool ChangeTarget(Program& program, Random& random) {
  Method* method = nullptr;
  Instruction* jump = AnyOfKind(program, random, InstructionKind::kJumpFalse, method);
  if (jump == nullptr) return false;
  const int32_t before = jump->other;
  jump->other = static_cast<int32_t>(random.Below(method->instructions.size() + 1));
  return jump->other != before;
}

bool ChangeMove(Program& program, Random& random) {
  Method* method = nullptr;
  Instruction* move = AnyOfKind(program, random, InstructionKind::kMove, method);
  if (move == nullptr) return false;
  int32_t& end = random.OneIn(2) ? move->target : move->other;
  const int32_t before = end;
  end = LikeValue(*method, end, random);
  return end != before;
}

bool TurnMove(Program& program, Random& random) {
  Method* method = nullptr;
  Instruction* move = AnyOfKind(program, random, InstructionKind::kMove, method);
  if (move == nullptr || move->target == move->other) return false;
  std::swap(move->target, move->other);
  return true;
}

bool SwapNeighbours(Program& program, Random& random) {
  Method* method = MethodWithCode(program, random);
  if (method == nullptr || method->instructions.size() < 2) return false;
  const size_t at = random.Below(method->instructions.size() - 1);
  std::swap(method->instructions[at], method->instructions[at + 1]);
  return true;
}

bool ShiftInstruction(Program& program, Random& random) {
  Method* method = MethodWithCode(program, random);
  if (method == nullptr) return false;
  const size_t from = random.Below(method->instructions.size());
  const size_t to = random.Below(method->instructions.size());
  if (from == to || method->instructions[from].kind == InstructionKind::kJumpFalse) return false;
  const Instruction moved = method->instructions[from];
  EraseAt(*method, from);
  InsertAt(*method, to, moved);
  return true;
}

bool DropInstruction(Program& program, Random& random) {
  Method* method = MethodWithCode(program, random);
  if (method == nullptr) return false;
  EraseAt(*method, random.Below(method->instructions.size()));
  return true;
}

bool RepeatInstruction(Program& program, Random& random) {
  Method* method = MethodWithCode(program, random);
  if (method == nullptr) return false;
  const Instruction repeated = random.Of(method->instructions);
  InsertAt(*method, random.Below(method->instructions.size() + 1), repeated);
  return true;
}

// Of a tensor whose memory is the runtime's.
bool InsertFree(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  std::vector<int32_t> freed;
  for (const int32_t v : ValuesOfKind(*method, ValueKind::kTensor)) {
    const Tensor& t = *method->TensorOf(v);
    const bool given = std::ranges::find(method->inputs, v) != method->inputs.end();
    if (!t.planned && !t.external && t.data_index == 0 && !given) freed.push_back(v);
  }
  if (freed.empty()) return false;
  InsertAt(*method, random.Below(method->instructions.size() + 1),
           {.kind = InstructionKind::kFree, .target = random.Of(freed), .args = {}});
  return true;
}

bool InsertMove(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->values.empty()) return false;
  const auto source = static_cast<int32_t>(random.Below(method->values.size()));
  InsertAt(*method, random.Below(method->instructions.size() + 1),
           {.kind = InstructionKind::kMove,
            .target = source,
            .other = LikeValue(*method, source, random),
            .args = {}});
  return true;
}

bool InsertJump(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  std::vector<int32_t> conditions = ValuesOfKind(*method, ValueKind::kBool);
  for (const int32_t v : ValuesOfKind(*method, ValueKind::kTensor)) {
    const Tensor& t = *method->TensorOf(v);
    if (t.dtype == ScalarType::kBool && t.nbytes == 1) conditions.push_back(v);
  }
  if (conditions.empty()) return false;
  InsertAt(*method, random.Below(method->instructions.size() + 1),
           {.kind = InstructionKind::kJumpFalse,
            .target = random.Of(conditions),
            .other = static_cast<int32_t>(random.Below(method->instructions.size() + 2)),
            .args = {}});
  return true;
}

constexpr std::array kInstructionChanges = {
    Change{"change-jump-target", ChangeTarget},
    Change{"change-move", ChangeMove},
    Change{"turn-move", TurnMove},
    Change{"swap-neighbours", SwapNeighbours},
    Change{"shift-instruction", ShiftInstruction},
    Change{"drop-instruction", DropInstruction},
    Change{"repeat-instruction", RepeatInstruction},
    Change{"insert-free", InsertFree},
    Change{"insert-move", InsertMove},
    Change{"insert-jump", InsertJump},
};

}  // namespace

std::span<const Change> InstructionChanges() {
  return kInstructionChanges;
}

}  // namespace pteproof::fuzz::plan
