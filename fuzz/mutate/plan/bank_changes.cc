// What tensors lie in: the sizes of banks, how many there are, and on which device.
#include <algorithm>
#include <array>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

// The end of the last tensor in the bank.
uint64_t NeedOf(const Method& method, uint32_t bank) {
  uint64_t need = 0;
  for (const Tensor& t : method.tensors) {
    if (t.planned && t.bank == bank) need = std::max(need, t.offset + t.nbytes);
  }
  return need;
}

bool ResizeBank(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->bank_sizes.size() < 2) return false;
  const size_t bank = 1 + random.Below(method->bank_sizes.size() - 1);
  uint64_t& size = method->bank_sizes[bank];
  const uint64_t need = NeedOf(*method, static_cast<uint32_t>(bank));
  const std::array<uint64_t, 7> sizes = {0,         need,     need - 1,     size + 16,
                                         size - 16, size / 2, size * 2 + 16};
  const uint64_t drawn = random.Of(sizes);
  constexpr uint64_t kMost = uint64_t{1} << 40;
  if (drawn == size || drawn > kMost) return false;
  size = drawn;
  return true;
}

bool AddBank(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  method->bank_sizes.push_back(16 * random.Below(65));
  return true;
}

// With what lies in them.
bool SwapBanks(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->bank_sizes.size() < 3) return false;
  const auto a = static_cast<uint32_t>(1 + random.Below(method->bank_sizes.size() - 1));
  const auto b = static_cast<uint32_t>(1 + random.Below(method->bank_sizes.size() - 1));
  if (a == b) return false;
  std::swap(method->bank_sizes[a], method->bank_sizes[b]);
  for (Tensor& t : method->tensors) {
    if (!t.planned || (t.bank != a && t.bank != b)) continue;
    t.bank = t.bank == a ? b : a;
  }
  return true;
}

bool ChangeDevice(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr || method->bank_sizes.size() < 2) return false;
  if (!method->bank_devices.empty() && random.OneIn(2)) {
    method->bank_devices.pop_back();
    return true;
  }
  const auto bank = static_cast<int32_t>(1 + random.Below(method->bank_sizes.size() - 1));
  method->bank_devices.push_back({bank, 1, static_cast<int8_t>(random.Below(2))});
  return true;
}

constexpr std::array kBankChanges = {
    Change{"resize-bank", ResizeBank},
    Change{"add-bank", AddBank},
    Change{"swap-banks", SwapBanks},
    Change{"change-bank-device", ChangeDevice},
};

}  // namespace

std::span<const Change> BankChanges() {
  return kBankChanges;
}

}  // namespace pteproof::fuzz::plan
