#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A buffer begins with another one's value.
bool InitialValueOfAnother(const Plan& plan) {
  const auto stored = [](const TensorAt& at) {
    return at.get().planned && at.get().data_index > 0;
  };
  const auto at = PickOf(TensorsOf(plan.program, stored), plan);
  if (!at) return false;
  uint32_t& index = at->get().data_index;
  const auto& values = plan.program.initial_values;
  const auto other = static_cast<uint32_t>(1 + plan.draw(values.size() - 1));
  if (other == index || values[other].size() < at->get().nbytes) return false;
  index = other;
  return true;
}

const RegisterDefect kInitialValueOfAnother({.name = "initial-value-of-another",
                                             .entry = 42,
                                             .invariant = "I10",
                                             .damage = InitialValueOfAnother});

}  // namespace
}  // namespace pteproof
