#include <utility>
#include <vector>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A jump leads one instruction beyond where it should.
bool JumpOneLate(const Plan& plan) {
  std::vector<std::pair<Instruction*, size_t>> jumps;  // with the instructions of their method
  for (Method& method : plan.program.methods) {
    for (Instruction& at : method.instructions) {
      if (at.kind == InstructionKind::kJumpFalse) {
        jumps.emplace_back(&at, method.instructions.size());
      }
    }
  }
  const auto jump = PickOf(jumps, plan);
  if (!jump || static_cast<size_t>(jump->first->other) >= jump->second) return false;
  ++jump->first->other;
  return true;
}

const RegisterDefect kJumpOneLate(
    {.name = "jump-one-late", .entry = 0, .invariant = "I13", .damage = JumpOneLate});

}  // namespace
}  // namespace pteproof
