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

std::vector<bool> Moving(const Method& method, uint32_t from, const FixedBytes& fixed,
                         const MovingWebs& moving) {
  std::vector<bool> moves(method.values.size());
  for (size_t v = 0; v < moves.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (tensor == nullptr || !tensor->planned || tensor->bank != from) continue;
    const bool is_state = tensor->name.count > 0 || tensor->data_index > 0;
    moves[v] = !is_state && (moving.web[v] < 0 || !fixed.Stays(moving.web[v]));
  }
  return moves;
}

}  // namespace

void MoveToBank(const BankChange& change, const std::vector<bool>& moves, Method& method) {
  if (std::ranges::find(moves, true) == moves.end()) return;
  const uint64_t size = SizeOfBank(method, change.from);
  const uint64_t behind = size - std::min(size, EndOfBank(method, change.from));
  const uint64_t taken = std::max(SizeOfBank(method, change.to), EndOfBank(method, change.to));
  const uint64_t start = (taken + kStepOfBank - 1) / kStepOfBank * kStepOfBank;
  for (size_t v = 0; v < moves.size(); ++v) {
    if (!moves[v]) continue;
    Tensor& tensor = method.tensors[method.values[v].tensor];
    tensor.bank = change.to;
    tensor.offset += start;
  }
  if (method.bank_sizes.size() <= change.to) method.bank_sizes.resize(change.to + 1);
  const uint64_t guard = std::max(behind, ReadsBeyond(method) ? kReadBeyond : 0);
  method.bank_sizes[change.to] = EndOfBank(method, change.to) + guard;
  const uint64_t left = EndOfBank(method, change.from);
  method.bank_sizes[change.from] = left == 0 ? 0 : left + behind;
}

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
    const Method& method = program.methods[m];
    const FixedBytes fixed = FixedBytesOf(program, webs, kept, m);
    MoveToBank(change, Moving(method, change.from, fixed, MovingWebsOf(method, webs[m])),
               changed.program.methods[m]);
  }
  return changed;
}

}  // namespace pteproof::planner
