#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// What a copy to a device writes, and a delegate of that device reads, lies in a bank of the host.
bool CopyToDeviceOnHost(const Plan& plan) {
  const auto copies = CallsOf(plan.program, [](const Method& method, const Operator& op, auto) {
    return op.name == "et_copy::_h2d_copy.out" && !method.bank_devices.empty();
  });
  const auto copy = PickOf(copies, plan);
  if (!copy) return false;
  Tensor& there = TensorAt{copy->method, copy->arg(1)}.get();
  const Tensor& host = TensorAt{copy->method, copy->arg(0)}.get();
  if (!HasBytes({copy->method, copy->arg(1)}) || !host.planned) return false;
  if (there.bank == host.bank) return false;
  there.bank = host.bank;
  there.offset = copy->method->bank_sizes[host.bank];
  copy->method->bank_sizes[host.bank] += there.nbytes;
  return true;
}

const RegisterDefect kCopyToDeviceOnHost({.name = "copy-to-device-on-host",
                                          .entry = 23,
                                          .invariant = "I15",
                                          .damage = CopyToDeviceOnHost});

}  // namespace
}  // namespace pteproof
