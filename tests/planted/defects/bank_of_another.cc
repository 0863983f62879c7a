#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A value is in a bank that it was not placed in, at the offset of its own.
bool BankOfAnother(const Plan& plan) {
  const auto at = PickOf(TensorsOf(plan.program, HasBytes), plan);
  if (!at) return false;
  Tensor& tensor = at->get();
  const auto& banks = at->method->bank_sizes;
  const auto bank = static_cast<uint32_t>(1 + plan.draw(banks.size() - 1));
  if (bank == tensor.bank || tensor.offset + tensor.nbytes > banks[bank]) return false;
  tensor.bank = bank;
  return true;
}

const RegisterDefect kBankOfAnother(
    {.name = "bank-of-another", .entry = 0, .invariant = "I1", .damage = BankOfAnother});

}  // namespace
}  // namespace pteproof
