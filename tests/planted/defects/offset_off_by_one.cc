#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A value lies a byte further on than it was placed.
bool OffsetOffByOne(const Plan& plan) {
  const auto at = PickOf(TensorsOf(plan.program, HasBytes), plan);
  if (!at) return false;
  ++at->get().offset;
  return true;
}

const RegisterDefect kOffsetOffByOne(
    {.name = "offset-off-by-one", .entry = 0, .invariant = "I2", .damage = OffsetOffByOne});

}  // namespace
}  // namespace pteproof
