// Idea. A web (planner/lift/webs.h) may move as a whole. State is a web that holds bytes which a
// call finds, which loading sets, or which the call leaves there; webs of state that have a byte in
// common are one block, as they stand for one buffer at different times. All other webs are
// activations, also those that lie in a buffer's bytes while its value does not matter.
//
//   cache [768, 960)   {v8, v15}: v15 is the result that the store left there       a block
//   v13   [768, 832)   written and read before the store                            an activation
//
// Invariant: no web is in two blocks, so that blocks and activations move apart and the method
// computes what it computed. Cost: that of webs and of one placement per bank.
#include "planner/link/state_blocks.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "planner/lift/webs.h"
#include "planner/read_beyond.h"
#include "planner/replan/move_places.h"
#include "planner/replan/moving_webs.h"

namespace pteproof::planner {
namespace {

class StateFinder {
 public:
  explicit StateFinder(const meaning::MethodMeaning& meant)
      : method_(*meant.method),
        webs_(WebsOf(meant, method_)),
        moving_(MovingWebsOf(method_, webs_)) {
    is_state_web_.resize(method_.values.size());
    std::ranges::for_each(webs_.stateful, [&](int32_t v) { Note(v); });
    for (const BankBytes& state : webs_.state) {
      webs_.at_exit.ForEach(state, [&](uint64_t, uint64_t, const ByteOwners::Owners& owners) {
        for (const int32_t owner : owners) {
          if (owner != kAtEntry) Note(owner);
        }
      });
    }
  }

  [[nodiscard]] bool IsState(int32_t value) const {
    const Tensor* tensor = method_.TensorOf(value);
    if (tensor == nullptr || !tensor->planned) return false;
    const int32_t web = moving_.web[static_cast<size_t>(value)];
    if (web >= 0) return is_state_web_[static_cast<size_t>(web)];
    return tensor->name.count > 0 || tensor->data_index > 0;
  }

 private:
  void Note(int32_t value) {
    const int32_t web = moving_.web[static_cast<size_t>(value)];
    if (web >= 0) is_state_web_[static_cast<size_t>(web)] = true;
  }

  const Method& method_;
  MethodWebs webs_;
  MovingWebs moving_;
  std::vector<bool> is_state_web_;  // by the value that `web` names
};

std::vector<StateBlock> Joined(const Method& method, const std::vector<int32_t>& values) {
  std::vector<std::pair<BankBytes, int32_t>> order;
  order.reserve(values.size());
  for (const int32_t v : values) order.emplace_back(BytesOf(method, v), v);
  std::ranges::sort(order);
  std::vector<StateBlock> blocks;
  for (const auto& [bytes, value] : order) {
    const bool joins =
        !blocks.empty() && (Meet(blocks.back().bytes, bytes) || blocks.back().bytes == bytes);
    if (!joins) blocks.push_back({.bytes = bytes, .buffers = {}, .values = {}});
    StateBlock& block = blocks.back();
    block.bytes.hi = std::max(block.bytes.hi, bytes.hi);
    block.values.push_back(value);
    if (const auto name = method.NameOf(value); !name.empty()) block.buffers.emplace(name);
  }
  return blocks;
}

// Ends of the planned values of each bank.
std::vector<uint64_t> EndsOf(const Method& method, const std::vector<bool>& left_out) {
  std::vector<uint64_t> ends(method.bank_sizes.size());
  for (size_t v = 0; v < method.values.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (tensor == nullptr || !tensor->planned || left_out[v]) continue;
    ends[tensor->bank] = std::max(ends[tensor->bank], tensor->offset + tensor->nbytes);
  }
  return ends;
}

// Activations that lie behind state begin at the start of their banks.
void MoveToStart(const std::vector<bool>& is_state, Method& method) {
  std::vector<uint64_t> starts(method.bank_sizes.size(), std::numeric_limits<uint64_t>::max());
  const auto for_each = [&](const auto& each) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      if (is_state[v] || method.values[v].kind != ValueKind::kTensor) continue;
      Tensor& tensor = method.tensors[method.values[v].tensor];
      if (tensor.planned) each(tensor, starts[tensor.bank]);
    }
  };
  for_each([](const Tensor& tensor, uint64_t& start) { start = std::min(start, tensor.offset); });
  for (uint64_t& start : starts) start -= start % kStateAlignment;
  for_each([](Tensor& tensor, uint64_t start) { tensor.offset -= start; });
}

// The activations with a smaller plan, if there is one. State waits in a bank of its own.
Method Packed(const meaning::MethodMeaning& meant, const std::vector<StateBlock>& blocks,
              const std::vector<uint64_t>& guards, bool pack) {
  const Method& method = *meant.method;
  Program alone;
  Method& moved = alone.methods.emplace_back(method);
  const auto waiting = static_cast<uint32_t>(moved.bank_sizes.size());
  moved.bank_sizes.push_back(0);
  const std::vector<bool> is_state = InBlocks(method, blocks);
  uint64_t& end = moved.bank_sizes.back();
  for (const StateBlock& block : blocks) {
    end = (end + kStateAlignment - 1) / kStateAlignment * kStateAlignment;
    for (const int32_t v : block.values) {
      Tensor& tensor = moved.tensors[moved.values[static_cast<size_t>(v)].tensor];
      tensor.offset = tensor.offset - block.bytes.lo + end;
      tensor.bank = waiting;
    }
    end += block.bytes.hi - block.bytes.lo;
  }
  MoveToStart(is_state, moved);
  const std::vector<uint64_t> ends = EndsOf(moved, is_state);
  for (size_t bank = 1; bank < waiting; ++bank) {
    moved.bank_sizes[bank] = ends[bank] == 0 ? 0 : ends[bank] + guards[bank];
  }
  // Without state the offsets of a few values tell too much.
  uint32_t largest = 1;
  for (const Tensor& tensor : method.tensors) {
    if (tensor.planned) largest = std::max(largest, ElementSize(tensor.dtype));
  }
  const ReplanOptions options = {
      .alignment = largest,  // offsets of packed values say nothing of their elements
      .old_alignment = static_cast<int64_t>(ActivationAlignment(moved, is_state))};
  Method packed = moved;
  if (pack) {
    const MethodWebs webs = WebsOf(meant, moved);
    packed = std::move(MovePlaces(alone, {&webs, 1}, options).program.methods.front());
  }
  packed.bank_sizes.pop_back();
  for (const StateBlock& block : blocks) {
    for (const int32_t v : block.values) {
      const size_t tensor = packed.values[static_cast<size_t>(v)].tensor;
      packed.tensors[tensor].bank = method.tensors[tensor].bank;
      packed.tensors[tensor].offset = method.tensors[tensor].offset;
    }
  }
  return packed;
}

}  // namespace

std::vector<bool> InBlocks(const Method& method, const std::vector<StateBlock>& blocks) {
  std::vector<bool> in_blocks(method.values.size());
  for (const StateBlock& block : blocks) {
    for (const int32_t v : block.values) in_blocks[static_cast<size_t>(v)] = true;
  }
  return in_blocks;
}

uint64_t ActivationAlignment(const Method& method, const std::vector<bool>& is_state) {
  constexpr uint64_t kMost = 64;  // a few values lie at multiples of more by chance
  uint64_t offsets = kMost;
  for (size_t v = 0; v < method.values.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (tensor != nullptr && tensor->planned && !is_state[v]) offsets |= tensor->offset;
  }
  return uint64_t{1} << std::countr_zero(offsets);
}

void TrimBanks(Method& method) {
  size_t used = 1;
  for (const Tensor& tensor : method.tensors) {
    if (tensor.planned) used = std::max<size_t>(used, tensor.bank);
  }
  for (const BankDevice& device : method.bank_devices) {
    used = std::max(used, static_cast<size_t>(std::max(device.bank, 1)));
  }
  while (method.bank_sizes.size() > used + 1 && method.bank_sizes.back() == 0) {
    method.bank_sizes.pop_back();
  }
}

MethodBlocks StateBlocksOf(const meaning::MethodMeaning& meant, uint32_t shared_bank,
                           const std::set<std::string>& shared, bool pack) {
  const Method& method = *meant.method;
  const StateFinder finder(meant);
  std::vector<int32_t> state;
  for (size_t v = 0; v < method.values.size(); ++v) {
    const auto value = static_cast<int32_t>(v);
    if (finder.IsState(value)) state.push_back(value);
  }
  MethodBlocks found;
  found.blocks = Joined(method, state);
  const std::vector<uint64_t> ends = EndsOf(method, std::vector<bool>(method.values.size()));
  for (size_t bank = 0; bank < ends.size(); ++bank) {
    const uint64_t size = method.bank_sizes[bank];
    const uint64_t guard = size > ends[bank] ? size - ends[bank] : 0;
    found.guards.push_back(ReadsBeyond(method) ? std::min(guard, kReadBeyond) : guard);
  }
  const bool has_shared = std::ranges::any_of(found.blocks, [&](const StateBlock& block) {
    return block.bytes.bank == shared_bank &&
           std::ranges::any_of(block.buffers, [&](const auto& b) { return shared.contains(b); });
  });
  if (has_shared) found.guards[shared_bank] = ReadsBeyond(method) ? kReadBeyond : 0;
  found.packed = Packed(meant, found.blocks, found.guards, pack);
  return found;
}

}  // namespace pteproof::planner
