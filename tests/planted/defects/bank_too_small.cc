#include <algorithm>

#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A bank has the size that it had before its last value came.
bool BankTooSmall(const Plan& plan) {
  const auto at = PickOf(TensorsOf(plan.program, HasBytes), plan);
  if (!at) return false;
  const uint32_t bank = at->get().bank;
  uint64_t last = 0;
  for (const Tensor& tensor : at->method->tensors) {
    if (tensor.planned && tensor.bank == bank) last = std::max(last, tensor.offset);
  }
  at->method->bank_sizes[bank] = last;
  return true;
}

const RegisterDefect kBankTooSmall(
    {.name = "bank-too-small", .entry = 9, .invariant = "I2", .damage = BankTooSmall});

}  // namespace
}  // namespace pteproof
