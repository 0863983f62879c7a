// How much work a search may do. Steps are counted, so that equal budgets end at equal layouts on
// every machine; a wall clock on top of them is for people who wait.
#ifndef PTEPROOF_PLANNER_PLACEMENT_BUDGET_H_
#define PTEPROOF_PLANNER_PLACEMENT_BUDGET_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/stop.h"

namespace pteproof::placement {

struct Effort {
  int64_t steps = 0;                   // of about 4 ns; one looks at one item or one point
  std::optional<double> seconds = {};  // by the wall clock; none: steps alone decide
  size_t threads = 1;                  // at once; without seconds no layout depends on it
};

// Counts what an effort has left.
class Budget {
 public:
  explicit Budget(const Effort& effort) : left_(effort.steps) {
    if (effort.seconds) {
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(*effort.seconds));
    }
  }

  // False: nothing is left.
  bool Spend(int64_t steps) {
    left_ -= steps;
    if ((since_look_ += steps) > kLook) {
      since_look_ = 0;
      EndIfStopped();
      if (deadline_ && Clock::now() > *deadline_) left_ = 0;
    }
    return left_ > 0;
  }
  [[nodiscard]] int64_t left() const { return left_ > 0 ? left_ : 0; }

  // A part of what is left, with the same deadline. Its steps are spent here by whoever uses it.
  [[nodiscard]] Budget Slice(int64_t steps) const {
    Budget slice(*this);
    slice.left_ = std::min(steps, left());
    slice.since_look_ = kLook;
    return slice;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int64_t kLook =
      100'000;  // steps between two looks at the clock and at the stop flag

  int64_t left_;
  int64_t since_look_ = 0;
  std::optional<Clock::time_point> deadline_;
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_BUDGET_H_
