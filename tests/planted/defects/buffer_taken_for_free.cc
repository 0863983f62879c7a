#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A value that dies in the call lies where a buffer does, which nobody reads any more in this call.
bool BufferTakenForFree(const Plan& plan) {
  const auto named = [](const TensorAt& at) { return HasBytes(at) && at.get().name.count > 0; };
  const auto buffer = PickOf(TensorsOf(plan.program, named), plan);
  if (!buffer) return false;
  const auto fits = [&](const TensorAt& at) {
    return at.method == buffer->method && HasBytes(at) && at.get().name.count == 0 &&
           at.get().nbytes <= buffer->get().nbytes;
  };
  const auto local = PickOf(TensorsOf(plan.program, fits), plan);
  if (!local) return false;
  local->get().bank = buffer->get().bank;
  local->get().offset = buffer->get().offset;
  return true;
}

const RegisterDefect kBufferTakenForFree(
    {.name = "buffer-taken-for-free", .entry = 7, .invariant = "I6", .damage = BufferTakenForFree});

}  // namespace
}  // namespace pteproof
