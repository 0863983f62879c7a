#include "planner/replan/change_bank.h"

#include <algorithm>
#include <vector>

#include "planner/lift/webs.h"
#include "planner/read_beyond.h"
#include "planner/replan/fixed_bytes.h"
#include "planner/replan/moving_webs.h"

namespace pteproof::planner {
namespace {

constexpr uint64_t kStepOfBank = 64;  // no old offset is less aligned for it

bool IsOnDevice(const Method& method, const BankChange& change) {
  return std::ranges::any_of(method.bank_devices, [&](const BankDevice& device) {
    const auto bank = static_cast<uint32_t>(device.bank);
    return device.device_type != 0 && (bank == change.from || bank == change.to);
  });
}

uint64_t SizeOfBank(const Method& method, uint32_t bank) {
  return bank < method.bank_sizes.size() ? method.bank_sizes[bank] : 0;
}

// Behind the last value of a bank.
uint64_t EndOfBank(const Method& method, uint32_t bank) {
  uint64_t end = 0;
  for (const Tensor& tensor : method.tensors) {
    if (tensor.planned && tensor.bank == bank) end = std::max(end, tensor.offset + tensor.nbytes);
  }
  return end;
}

void MoveWebs(const BankChange& change, const FixedBytes& fixed, const MovingWebs& moving,
              Method& method) {
  const uint64_t size = SizeOfBank(method, change.from);
  const uint64_t behind = size - std::min(size, EndOfBank(method, change.from));
  const uint64_t taken = std::max(SizeOfBank(method, change.to), EndOfBank(method, change.to));
  const uint64_t start = (taken + kStepOfBank - 1) / kStepOfBank * kStepOfBank;
  bool moves = false;
  for (size_t v = 0; v < moving.web.size(); ++v) {
    if (method.values[v].kind != ValueKind::kTensor) continue;
    Tensor& tensor = method.tensors[method.values[v].tensor];
    const int32_t web = moving.web[v];
    const bool is_state = tensor.name.count > 0 || tensor.data_index > 0;
    const bool stays = is_state || (web >= 0 && fixed.Stays(web));
    if (!tensor.planned || tensor.bank != change.from || stays) continue;
    tensor.bank = change.to;
    tensor.offset += start;
    moves = true;
  }
  if (!moves) return;
  if (method.bank_sizes.size() <= change.to) method.bank_sizes.resize(change.to + 1);
  const uint64_t guard = std::max(behind, ReadsBeyond(method) ? kReadBeyond : 0);
  method.bank_sizes[change.to] = EndOfBank(method, change.to) + guard;
  const uint64_t left = EndOfBank(method, change.from);
  method.bank_sizes[change.from] = left == 0 ? 0 : left + behind;
}

}  // namespace

ChangedBanks ChangeBank(const Program& program, std::span<const MethodWebs> webs,
                        const BankChange& change, bool keep_outputs) {
  ChangedBanks changed = {program, ""};
  for (const Method& method : program.methods) {
    if (IsOnDevice(method, change)) {
      changed.failure = "bank " + std::to_string(change.from) + " or " + std::to_string(change.to) +
                        " of '" + method.name + "' is on a device";
      return changed;
    }
  }
  const auto kept = KeptBytesOf(program, webs, keep_outputs);
  for (size_t m = 0; m < program.methods.size(); ++m) {
    MoveWebs(change, FixedBytesOf(program, webs, kept, m),
             MovingWebsOf(program.methods[m], webs[m]), changed.program.methods[m]);
  }
  return changed;
}

}  // namespace pteproof::planner
