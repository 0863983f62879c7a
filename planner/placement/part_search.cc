// Idea. One exact search may end soon or never, and its luck depends on the preorder. So many
// searches run, each cut off: long ones for the goal itself, and short ones with noise for a random
// capacity between the goal and the best layout so far. Both kinds get the same number of steps in
// total.
//
//   lower_bound_        goal         capacity of a short search           peak_
//        |---------------|------------------x--------------------------------|
//    proved: nothing     wanted              found: peak_ moves down to it
//    ends below                              none:  lower_bound_ moves up above it
//
// Invariant: offsets_ is a layout that ends at peak_, and no layout ends below lower_bound_. Both
// only move towards each other; they meet at an optimal layout. Cost: a round takes at most the
// steps that it is given, a multiple of StepsOfOneTry().
#include "planner/placement/part_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "planner/placement/random.h"

namespace pteproof::placement {
namespace {

constexpr std::array kPreorders = {Preorder::kDuration, Preorder::kLoadArea,
                                   Preorder::kLoadDuration};
// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... from 1 on: how long to go on where some searches end soon and
// others never (Luby, Sinclair, Zuckerman: Optimal speedup of Las Vegas algorithms, 1993).
int64_t Luby(int64_t i) {
  int64_t size = 1;
  while (size < i + 1) size *= 2;
  return size == i + 1 ? size / 2 : Luby(i - size / 2 + 1);
}

}  // namespace

PartSearch::PartSearch(std::vector<Item<int64_t>> items, int64_t lower_bound)
    : items_(std::move(items)), lower_bound_(lower_bound) {}

void PartSearch::Offer(std::vector<int64_t> offsets) {
  int64_t peak = 0;
  for (size_t i = 0; i < items_.size(); ++i) peak = std::max(peak, offsets[i] + items_[i].size);
  if (peak >= peak_) return;
  peak_ = peak;
  offsets_ = std::move(offsets);
}

void PartSearch::Round(int64_t enough, Budget& budget) {
  if (!problem_) {
    problem_ = std::make_unique<Problem>(ProblemOf(items_));
    search_ = std::make_unique<CapacitySearch>(*problem_);
  }
  const int64_t before = budget.left();
  const int64_t goal = std::max(lower_bound_, enough);
  if (balance_ >= 0) {
    Long(goal, budget);
    balance_ -= before - budget.left();
  } else {
    Short(goal, budget);
    balance_ += before - budget.left();
  }
}

// Each preorder in turn, then again with more steps.
void PartSearch::Long(int64_t goal, Budget& budget) {
  constexpr int32_t kMostDoublings = 24;
  const int32_t preorder = long_ones_ % static_cast<int32_t>(kPreorders.size());
  const int32_t doublings = 3 * (long_ones_ / static_cast<int32_t>(kPreorders.size()));
  ++long_ones_;
  Try(goal, {kPreorders[static_cast<size_t>(preorder)], 0, 0},
      2 * search_->StepsOfOneTry() << std::min(doublings, kMostDoublings), budget);
}

// Each preorder in turn with each noise, for some capacity between the goal and the peak: a search
// may miss the layouts of one capacity and find those of a smaller one.
void PartSearch::Short(int64_t goal, Budget& budget) {
  constexpr std::array kNoises = {0, 0, 0, 100, 100, 100, 500, 500, 500};
  const auto turn = static_cast<size_t>(short_ones_++);
  Random random(turn);
  const double up = random.Fraction();
  const auto room = static_cast<double>(peak_ - 1 - goal);
  const int64_t steps =
      search_->StepsOfOneTry() * Luby(static_cast<int64_t>(turn / kNoises.size()) + 1);
  Try(goal + static_cast<int64_t>(up * room),
      {kPreorders[turn % kPreorders.size()], kNoises[turn % kNoises.size()], random.Next()}, steps,
      budget);
}

void PartSearch::Try(int64_t capacity, const CapacitySearch::Way& way, int64_t steps,
                     Budget& budget) {
  switch (search_->Run(capacity, way, steps, budget)) {
    case CapacitySearch::End::kFound:
      Offer(search_->offsets());
      break;
    case CapacitySearch::End::kNone:
      lower_bound_ = std::max(lower_bound_, capacity + 1);
      break;
    case CapacitySearch::End::kSpent:
      break;
  }
}

}  // namespace pteproof::placement
