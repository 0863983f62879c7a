// Goals for the layout of state, as differences of its places: at most zero, or zero. Stated from
// the promises of planner/state; uses none of its code.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_LAYOUT_GOALS_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_LAYOUT_GOALS_H_

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "planner/state/place_state.h"

namespace pteproof::proofs {

// One of the differences is at most 0; or, where there is no difference, the goal does not hold.
template <class Int>
struct LayoutGoal {
  std::string_view property;
  std::vector<Int> at_most_zero;
};

template <class Int>
class LayoutGoals {
 public:
  LayoutGoals(const planner::StateDemand<Int>& demand, const planner::StateRooms<Int>& rooms)
      : demand_(demand), rooms_(rooms) {}

  [[nodiscard]] std::vector<LayoutGoal<Int>> All() {
    for (size_t m = 0; m < demand_.state.size(); ++m) {
      for (size_t b = 0; b < demand_.buffers.size(); ++b) AddOne(m, b);
    }
    return goals_;
  }

 private:
  using Place = planner::BufferRoom<Int>;

  void Add(std::string_view property, std::vector<Int> at_most_zero) {
    goals_.push_back({property, std::move(at_most_zero)});
  }

  void AddOne(size_t m, size_t b) {
    const auto& place = rooms_.places[m][b];
    if (place.has_value() != demand_.state[m][b]) return Add("a place for what it has", {});
    if (!place) return;
    const bool shared = demand_.buffers[b].shared;
    if (place->bank != (shared ? planner::kSharedBank : planner::kPrivateBank)) {
      return Add("the right bank", {});
    }
    const Int& size = shared ? rooms_.shared_size[m] : rooms_.private_size[m];
    Add("contained", {Int(0) - place->offset});
    Add("contained", {place->offset + place->nbytes - size});
    Add("contained", {Int(1) + place->offset - size});  // also what has no bytes
    Add("aligned", {AlignedUp(place->offset, demand_.buffers[b].alignment) - place->offset});
    Add("whole", {demand_.buffers[b].nbytes - place->nbytes});
    for (size_t n = 0; n < demand_.state.size(); ++n) {
      for (size_t c = 0; c < demand_.buffers.size(); ++c) {
        if (n * demand_.buffers.size() + c > m * demand_.buffers.size() + b) AddPair(m, b, n, c);
      }
    }
  }

  static Int AlignedUp(const Int& value, const Int& alignment) {
    using placement::AlignUp;
    return AlignUp(value, alignment);
  }

  void AddPair(size_t m, size_t b, size_t n, size_t c) {
    const auto& one = rooms_.places[m][b];
    const auto& other = rooms_.places[n][c];
    if (!one || !other) return;
    if (b == c && demand_.buffers[b].shared) {
      Add("one key, one place", {one->offset - other->offset});
      Add("one key, one place", {other->offset - one->offset});
      return;
    }
    if (one->bank != other->bank || !Meet(m, b, n, c)) return;
    Add("distinct keys disjoint", {End(*one) - other->offset, End(*other) - one->offset});
  }

  // A buffer without bytes has a place of its own, too.
  static Int End(const Place& place) {
    if (place.nbytes <= Int(0)) return place.offset + Int(1);
    return place.offset + place.nbytes;
  }

  // Whether two places of one bank must differ.
  [[nodiscard]] bool Meet(size_t m, size_t b, size_t n, size_t c) const {
    if (m == n || demand_.buffers[b].shared || demand_.private_banks_meet) return true;
    const auto users = [&](size_t buffer) {
      return std::ranges::count_if(demand_.state, [&](const auto& of) { return bool(of[buffer]); });
    };
    return users(b) > 1 || users(c) > 1;
  }

  const planner::StateDemand<Int>& demand_;
  const planner::StateRooms<Int>& rooms_;
  std::vector<LayoutGoal<Int>> goals_;
};

template <class Int>
[[nodiscard]] std::vector<LayoutGoal<Int>> LayoutGoalsOf(const planner::StateDemand<Int>& demand,
                                                         const planner::StateRooms<Int>& rooms) {
  return LayoutGoals<Int>(demand, rooms).All();
}

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_LAYOUT_GOALS_H_
