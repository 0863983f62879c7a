#include <utility>
#include <vector>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// Two stores that follow each other come in the other order.
bool StoresExchanged(const Plan& plan) {
  auto copies =
      CallsOf(plan.program, [](const Method&, const Operator& op, auto) { return IsCopy(op); });
  std::erase_if(copies, [](const CallAt& at) {
    const auto& instructions = at.method->instructions;
    if (at.instruction + 1 >= instructions.size()) return true;
    const Instruction& next = instructions[at.instruction + 1];
    return next.kind != InstructionKind::kKernelCall ||
           !IsCopy(at.method->operators[static_cast<size_t>(next.target)]);
  });
  const auto at = PickOf(copies, plan);
  if (!at) return false;
  auto& instructions = at->method->instructions;
  std::swap(instructions[at->instruction], instructions[at->instruction + 1]);
  return true;
}

const RegisterDefect kStoresExchanged(
    {.name = "stores-exchanged", .entry = 28, .invariant = "I9", .damage = StoresExchanged});

}  // namespace
}  // namespace pteproof
