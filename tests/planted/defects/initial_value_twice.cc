#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A second value in a buffer's place has an initial value, too: whichever is loaded last stays.
bool InitialValueTwice(const Plan& plan) {
  const auto stored = [](const TensorAt& at) {
    return at.get().planned && at.get().data_index > 0;
  };
  const auto buffer = PickOf(TensorsOf(plan.program, stored), plan);
  if (!buffer) return false;
  const auto bare = [&](const TensorAt& at) {
    const Tensor& t = at.get();
    return t.planned && t.data_index == 0 && t.nbytes == buffer->get().nbytes;
  };
  const auto other = PickOf(TensorsOf(plan.program, bare), plan);
  if (!other) return false;
  other->get().data_index = buffer->get().data_index;
  other->get().bank = buffer->get().bank;
  other->get().offset = buffer->get().offset;
  return true;
}

const RegisterDefect kInitialValueTwice(
    {.name = "initial-value-twice", .entry = 40, .invariant = "I10", .damage = InitialValueTwice});

}  // namespace
}  // namespace pteproof
