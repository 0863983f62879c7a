// States of a search that failed, so that a state that is no better is not searched again. A state
// is the list of unplaced items, their lowest offsets and the bar of the next item. It is no better
// than another one with the same items if none of its numbers is smaller:
//
//   failed   items {3, 5}   lowest {16, 32}   bar 0
//   asked    items {3, 5}   lowest {16, 48}   bar 0     fails too: it has less room
//
// Invariant: of the kept states with the same items none is no worse than another. Cost: O(items)
// and the kept states with the same items.
#ifndef PTEPROOF_PLANNER_PLACEMENT_FAILED_STATES_H_
#define PTEPROOF_PLANNER_PLACEMENT_FAILED_STATES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pteproof::placement {

// What is still to be placed, and from where on.
struct OpenState {
  std::vector<int32_t> items;   // unplaced, in the search's own order
  std::vector<int64_t> lowest;  // where each of these can lie at the lowest
  // The next one lies above this offset, or at it and is none of the first so many items.
  std::pair<int64_t, int32_t> bar;

  // Whatever can be made of the other state can be made of this one.
  [[nodiscard]] bool IsNoWorseThan(const OpenState& other) const {
    return bar <= other.bar && items == other.items &&
           std::ranges::equal(lowest, other.lowest, std::ranges::less_equal());
  }
};

class FailedStates {
 public:
  static constexpr size_t kMostItems = 32;       // states of more seldom come again
  static constexpr size_t kMostStates = 50'000;  // after that none is kept

  void Clear() {
    states_.clear();
    count_ = 0;
  }

  [[nodiscard]] bool Holds(const OpenState& state) const {
    const auto alike = states_.find(HashOf(state));
    if (alike == states_.end()) return false;
    return std::ranges::any_of(
        alike->second, [&](const OpenState& failed) { return failed.IsNoWorseThan(state); });
  }

  void Keep(OpenState state) {
    if (count_ == kMostStates) return;
    std::vector<OpenState>& alike = states_[HashOf(state)];
    const size_t before = alike.size();
    std::erase_if(alike, [&](const OpenState& old) { return state.IsNoWorseThan(old); });
    alike.push_back(std::move(state));
    count_ = count_ + alike.size() - before;
  }

 private:
  static uint64_t HashOf(const OpenState& state) {
    uint64_t hash = state.items.size();
    for (const int32_t item : state.items) {
      hash = (hash ^ static_cast<uint64_t>(item)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    return hash;
  }

  std::unordered_map<uint64_t, std::vector<OpenState>> states_;
  size_t count_ = 0;
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_FAILED_STATES_H_
