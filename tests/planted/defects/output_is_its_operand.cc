#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// An output is what its operator reads, not what it writes.
bool OutputIsItsOperand(const Plan& plan) {
  Method& method = plan.program.methods[plan.draw(plan.program.methods.size())];
  if (method.outputs.empty()) return false;
  int32_t& output = method.outputs[plan.draw(method.outputs.size())];
  for (const Instruction& at : method.instructions) {
    if (at.kind != InstructionKind::kKernelCall) continue;
    const auto args = method.Ints(at.args);
    if (args.size() < 2 || args.back() != output) continue;
    if (method.TensorOf(args.front()) == nullptr || args.front() == output) return false;
    output = args.front();
    return true;
  }
  return false;
}

const RegisterDefect kOutputIsItsOperand({.name = "output-is-its-operand",
                                          .entry = 8,
                                          .invariant = "I20",
                                          .damage = OutputIsItsOperand});

}  // namespace
}  // namespace pteproof
