#include <utility>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// Two values of a bank have each other's offsets.
bool OffsetsSwapped(const Plan& plan) {
  const auto one = PickOf(TensorsOf(plan.program, HasBytes), plan);
  if (!one) return false;
  Tensor& a = one->get();
  const auto fits = [&](const TensorAt& at) {
    const Tensor& b = at.get();
    return at.method == one->method && HasBytes(at) && b.bank == a.bank && b.nbytes == a.nbytes &&
           b.offset != a.offset;
  };
  const auto other = PickOf(TensorsOf(plan.program, fits), plan);
  if (!other) return false;
  std::swap(a.offset, other->get().offset);
  return true;
}

const RegisterDefect kOffsetsSwapped(
    {.name = "offsets-swapped", .entry = 0, .invariant = "I1", .damage = OffsetsSwapped});

}  // namespace
}  // namespace pteproof
