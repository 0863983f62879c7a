// Idea. Most plans have their buffers right, and those stay. A bank is laid out anew if two buffers
// share bytes in it, if one has two places, or if some method plans another value where any method
// has a buffer:
//
//   one: 'a' [0, 16)  'b' [16, 48)        anew: 'a' [0, 16)  'b' [16, 48)
//   two: 'b' [0, 32)  'a' [32, 48)
//
// Invariant: no two buffers share bytes, and each has room for the largest of its values. Cost:
// O(n log n) in buffers, and the values of a bank with buffers times log buffers.
#include "planner/repair/state_places.h"

#include <algorithm>
#include <set>
#include <utility>

#include "planner/lift/webs.h"
#include "planner/planted.h"

namespace pteproof::planner {
namespace {

class RepairLayouter {
 public:
  RepairLayouter(const Program& program, std::span<const MeantMethod> methods,
                 const StateOptions& options)
      : program_(program), methods_(methods), options_(options) {}

  StatePlaces Go() {
    for (size_t m = 0; m < methods_.size(); ++m) Gather(m);
    if (options_.all_anew) {
      for (const auto& [key, place] : state_.places) anew_.insert(place.bank);
    }
    FindShared();
    for (size_t m = 0; m < methods_.size(); ++m) FindOverlaid(m);
    for (const uint32_t bank : anew_) LayOut(bank);
    for (const auto& [key, place] : state_.places) {
      uint64_t& end = state_.ends[place.bank];
      end = std::max(end, place.hi);
    }
    return std::move(state_);
  }

 private:
  void Gather(size_t m) {
    const Method& method = program_.methods[m];
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const int32_t buffer = BufferOf(*methods_[m].recovered, value);
      if (buffer < 0) continue;
      const BankBytes bytes = BytesOf(method, value);
      const BufferKey key = BufferKeyOf(*methods_[m].recovered, buffer);
      const auto [known, fresh] = state_.places.try_emplace(key, bytes);
      if (fresh) continue;
      BankBytes& place = known->second;
      if (place.bank != bytes.bank || place.lo != bytes.lo) {
        anew_.insert(std::max(place.bank, bytes.bank));
      }
      const uint64_t size = std::max(place.hi - place.lo, bytes.hi - bytes.lo);
      place.bank = std::max(place.bank, bytes.bank);
      place.hi = place.lo + size;
    }
  }

  void FindShared() {
    for (const auto& [key, place] : state_.places) sorted_.push_back(place);
    std::ranges::sort(sorted_);
    for (size_t n = 1; n < sorted_.size(); ++n) {
      if (Meet(sorted_[n - 1], sorted_[n])) anew_.insert(sorted_[n].bank);
    }
  }

  // Values that are not of a buffer and lie over one.
  void FindOverlaid(size_t m) {
    const Method& method = program_.methods[m];
    std::set<int32_t> buffers;  // storages
    for (size_t v = 0; v < method.values.size(); ++v) {
      const bool is_buffer = IsBuffer(*methods_[m].recovered, static_cast<int32_t>(v));
      if (is_buffer) buffers.insert(methods_[m].storages.storage[v]);
    }
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method.TensorOf(value);
      if (tensor == nullptr || !tensor->planned || anew_.contains(tensor->bank)) continue;
      if (buffers.contains(methods_[m].storages.storage[v])) continue;
      const BankBytes bytes = BytesOf(method, value);
      const auto next = std::ranges::upper_bound(
          sorted_, std::pair(bytes.bank, bytes.lo), {},
          [](const BankBytes& place) { return std::pair(place.bank, place.hi); });
      if (next != sorted_.end() && Meet(*next, bytes)) anew_.insert(bytes.bank);
    }
  }

  void LayOut(uint32_t bank) {
    uint64_t at = 0;
    for (auto& [key, place] : state_.places) {
      if (place.bank != bank) continue;
      const uint64_t size = place.hi - place.lo;
      if (Planted(Defect::kBuffersOnTop)) at = 0;
      place = {bank, at, at + size};
      at = (place.hi + options_.alignment - 1) / options_.alignment * options_.alignment;
    }
  }

  const Program& program_;
  std::span<const MeantMethod> methods_;
  const StateOptions& options_;
  StatePlaces state_;
  std::set<uint32_t> anew_;        // banks
  std::vector<BankBytes> sorted_;  // places of buffers
};

}  // namespace

MeantMethod MeantMethodOf(const meaning::MethodMeaning& meaning) {
  MeantMethod meant = {.recovered = &meaning,
                       .touches = TouchesOf(meaning),
                       .names = DerivedNamesOf(meaning),
                       .storages = {}};
  meant.storages = NamedStoragesOf(meaning, meant.touches, meant.names);
  return meant;
}

BufferKey BufferKeyOf(const meaning::MethodMeaning& meaning, int32_t buffer) {
  const int32_t state = meaning.roles.state_of[IndexOf(buffer)];
  const meaning::StateSlot& slot = meaning.roles.states[IndexOf(state)];
  if (!slot.key.empty()) return BufferKey(slot.key);
  // No name begins with a space, and keys of one bank are in the order of their places.
  std::string offset = std::to_string(slot.place.lo);
  offset.insert(0, 20 - std::min<size_t>(20, offset.size()), '0');
  return " " + std::to_string(slot.place.bank) + " " + offset;
}

StatePlaces StatePlacesOf(const Program& program, std::span<const MeantMethod> methods,
                          const StateOptions& options) {
  return RepairLayouter(program, methods, options).Go();
}

}  // namespace pteproof::planner
