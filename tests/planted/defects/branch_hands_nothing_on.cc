#include <vector>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A branch or a round ends without handing its value on.
bool BranchHandsNothingOn(const Plan& plan) {
  std::vector<Instruction*> moves;
  for (Method& method : plan.program.methods) {
    for (Instruction& at : method.instructions) {
      if (at.kind == InstructionKind::kMove) moves.push_back(&at);
    }
  }
  const auto move = PickOf(moves, plan);
  if (!move) return false;
  (*move)->target = (*move)->other;
  return true;
}

const RegisterDefect kBranchHandsNothingOn({.name = "branch-hands-nothing-on",
                                            .entry = 58,
                                            .invariant = "I13",
                                            .damage = BranchHandsNothingOn});

}  // namespace
}  // namespace pteproof
