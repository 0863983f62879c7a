// Idea. Storages lie one behind the other, behind the buffers of their bank:
//
//   bank 1:  'state' [0, 32) | v2 [48, 80) | v3 and its view v4 [96, 128) | ...
//
// Packing (replan/move_places.h) then brings together what is not in use at one time. Invariant:
// two values share a byte only if they are names of one storage. Cost: O(n log n).
#include "planner/repair/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "planner/lift/webs.h"
#include "planner/planted.h"
#include "planner/repair/state_places.h"

namespace pteproof::planner {
namespace {

constexpr uint64_t kLeastAlignment = 16;

// A storage: its bytes, from the first byte of the value that it is told by.
struct Extent {
  uint32_t bank = 0;
  int64_t lower = 0;
  int64_t upper = 0;
  int32_t buffer = -1;  // a value that is a buffer
};

// What all offsets of the program are multiples of, and no less than usual.
uint64_t AlignmentOf(const Program& program) {
  uint64_t offsets = 0;
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned) offsets |= tensor.offset;
    }
  }
  if (offsets == 0) return kLeastAlignment;
  return std::max(kLeastAlignment, uint64_t{1} << std::countr_zero(offsets));
}

class Spreader {
 public:
  Spreader(const Program& program, const meaning::ProgramMeaning& meant, bool move_state)
      : program_(program), alignment_(AlignmentOf(program)), spread_{program, {}, {}} {
    for (const meaning::MethodMeaning& each : meant.methods)
      methods_.push_back(MeantMethodOf(each));
    state_ = StatePlacesOf(program, methods_, {alignment_, move_state});
    NoteBuffers();
  }

  Spread Go() {
    for (size_t m = 0; m < methods_.size() && spread_.failure.empty(); ++m) Place(m);
    return std::move(spread_);
  }

 private:
  void NoteBuffers() {
    spread_.nameless.resize(methods_.size());
    for (size_t m = 0; m < methods_.size(); ++m) {
      const meaning::MethodMeaning& meant = *methods_[m].recovered;
      for (int32_t v = 0; v < static_cast<int32_t>(meant.roles.of.size()); ++v) {
        if (BufferOf(meant, v) < 0) continue;
        const BankBytes bytes = BytesOf(program_.methods[m], v);
        buffers_end_[bytes.bank] = std::max(buffers_end_[bytes.bank], bytes.hi);
      }
      for (const meaning::StateSlot& state : meant.roles.states) {
        const bool is_nameless =
            IsBuffer(meant, state.value) && program_.methods[m].NameOf(state.value).empty();
        if (is_nameless) spread_.nameless[m].push_back(state.value);
      }
    }
  }

  void Place(size_t m) {
    const Method& method = program_.methods[m];
    const MeantMethod& meant = methods_[m];
    if (!meant.storages.misfits.empty()) {
      spread_.failure = fmt::format("v{} of '{}' would have to lie at two places",
                                    meant.storages.misfits.front(), method.name);
      return;
    }
    std::map<uint32_t, uint64_t> ends = state_.ends;
    std::map<int32_t, BankBytes> places;  // by storage
    for (const auto& [storage, extent] : ExtentsOf(method, meant)) {
      places[storage] = extent.buffer >= 0 ? PlaceOfBuffer(m, extent) : Next(extent, ends);
      if (!spread_.failure.empty()) return;
    }
    Method& moved = spread_.program.methods[m];
    for (size_t v = 0; v < method.values.size(); ++v) {
      if (!IsPlanned(method, v)) continue;
      const BankBytes& place = places.at(meant.storages.storage[v]);
      const int64_t lower = extents_.at(meant.storages.storage[v]).lower;
      Tensor& tensor = moved.tensors[method.values[v].tensor];
      tensor.bank = place.bank;
      tensor.offset = place.lo + static_cast<uint64_t>(meant.storages.at[v] - lower);
    }
    SetSizes(method, ends, moved);
  }

  static bool IsPlanned(const Method& method, size_t v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    return tensor != nullptr && tensor->planned;
  }

  const std::map<int32_t, Extent>& ExtentsOf(const Method& method, const MeantMethod& meant) {
    extents_.clear();
    for (size_t v = 0; v < method.values.size(); ++v) {
      if (!IsPlanned(method, v)) continue;
      const Tensor& tensor = *method.TensorOf(static_cast<int32_t>(v));
      const int64_t at = meant.storages.at[v];
      const auto end = at + static_cast<int64_t>(tensor.nbytes);
      Extent& extent =
          extents_.try_emplace(meant.storages.storage[v], Extent{tensor.bank, at, end, -1})
              .first->second;
      extent.lower = std::min(extent.lower, at);
      extent.upper = std::max(extent.upper, end);
      const auto value = static_cast<int32_t>(v);
      if (extent.buffer < 0 && IsBuffer(*meant.recovered, value)) extent.buffer = value;
    }
    return extents_;
  }

  BankBytes PlaceOfBuffer(size_t m, const Extent& extent) {
    const Method& method = program_.methods[m];
    BankBytes place = state_.places.at(BufferKeyOf(*methods_[m].recovered, extent.buffer));
    const int64_t at = methods_[m].storages.at[static_cast<size_t>(extent.buffer)];
    const auto size = static_cast<int64_t>(place.hi - place.lo);
    if (extent.lower < at || extent.upper > at + size) {
      spread_.failure = fmt::format("values of '{}' lie in the bytes of v{}, a buffer, and beyond",
                                    method.name, extent.buffer);
    }
    return place;
  }

  // Behind what the bank has so far, at an odd multiple, so that offsets tell the alignment.
  [[nodiscard]] BankBytes Next(const Extent& extent, std::map<uint32_t, uint64_t>& ends) const {
    uint64_t& end = ends[extent.bank];
    if (Planted(Defect::kStoragesOnTop)) end = 0;
    const uint64_t lo = ((end + alignment_ - 1) / alignment_ | 1) * alignment_;
    end = lo + static_cast<uint64_t>(extent.upper - extent.lower);
    return {extent.bank, lo, end};
  }

  // A bank keeps the bytes behind its last value, but for what rounds its size up. What other
  // methods have in it counts if they are buffers.
  void SetSizes(const Method& method, const std::map<uint32_t, uint64_t>& ends,
                Method& moved) const {
    std::map<uint32_t, uint64_t> old_ends = buffers_end_;
    for (const Tensor& tensor : method.tensors) {
      if (!tensor.planned) continue;
      old_ends[tensor.bank] = std::max(old_ends[tensor.bank], tensor.offset + tensor.nbytes);
    }
    for (const auto& [bank, end] : ends) {
      const bool has = bank < method.bank_sizes.size() && method.bank_sizes[bank] > 0;
      const bool uses = std::ranges::any_of(moved.tensors, [bank = bank](const Tensor& tensor) {
        return tensor.planned && tensor.bank == bank;
      });
      if (!has && !uses) continue;
      if (bank >= moved.bank_sizes.size()) moved.bank_sizes.resize(bank + 1);
      const uint64_t old_size = has ? method.bank_sizes[bank] : 0;
      const uint64_t old_end = (old_ends[bank] + alignment_ - 1) / alignment_ * alignment_;
      moved.bank_sizes[bank] = end + (old_size > old_end ? old_size - old_end : 0);
    }
  }

  const Program& program_;
  uint64_t alignment_;
  Spread spread_;
  std::vector<MeantMethod> methods_;
  StatePlaces state_;
  std::map<uint32_t, uint64_t> buffers_end_;  // per bank, in any method as planned
  std::map<int32_t, Extent> extents_;         // by storage, of the method at hand
};

}  // namespace

Spread SpreadOut(const Program& program, const meaning::ProgramMeaning& meant, bool move_state) {
  return Spreader(program, meant, move_state).Go();
}

}  // namespace pteproof::planner
