#include <utility>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// Two outputs stand in each other's position.
bool OutputsExchanged(const Plan& plan) {
  Method& method = plan.program.methods[plan.draw(plan.program.methods.size())];
  if (method.outputs.size() < 2) return false;
  const size_t a = plan.draw(method.outputs.size());
  const size_t b = plan.draw(method.outputs.size());
  if (method.outputs[a] == method.outputs[b]) return false;
  std::swap(method.outputs[a], method.outputs[b]);
  return true;
}

const RegisterDefect kOutputsExchanged(
    {.name = "outputs-exchanged", .entry = 18, .invariant = "I20", .damage = OutputsExchanged});

}  // namespace
}  // namespace pteproof
