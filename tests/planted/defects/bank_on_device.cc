#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A bank in which kernels of the host keep values lies on a device.
bool BankOnDevice(const Plan& plan) {
  const auto at = PickOf(TensorsOf(plan.program, HasBytes), plan);
  if (!at || !at->method->bank_devices.empty()) return false;
  at->method->bank_devices.push_back(
      {.bank = static_cast<int32_t>(at->get().bank), .device_type = 1});
  return true;
}

const RegisterDefect kBankOnDevice(
    {.name = "bank-on-device", .entry = 22, .invariant = "I15", .damage = BankOnDevice});

}  // namespace
}  // namespace pteproof
