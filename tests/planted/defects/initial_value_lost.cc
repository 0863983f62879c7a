#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A buffer begins with whatever its bank holds.
bool InitialValueLost(const Plan& plan) {
  const auto stored = [](const TensorAt& at) {
    return at.get().planned && at.get().data_index > 0;
  };
  const auto at = PickOf(TensorsOf(plan.program, stored), plan);
  if (!at) return false;
  at->get().data_index = 0;
  return true;
}

const RegisterDefect kInitialValueLost(
    {.name = "initial-value-lost", .entry = 11, .invariant = "I10", .damage = InitialValueLost});

}  // namespace
}  // namespace pteproof
