// Idea. Plain items are left to niche_lanes.h. Of others, one exact search may end soon or never,
// and its luck depends on the preorder. So many searches run, each cut off: long ones for the goal
// itself, and short ones with noise for a random capacity between the goal and the best layout so
// far. Both kinds get the same number of steps in total.
//
//   lower bound         goal         capacity of a short search           peak
//        |---------------|------------------x--------------------------------|
//    proved: nothing     wanted              found: the peak moves down to it
//    ends below                              none:  the bound moves up above it
//
// Invariant: the bounds' offsets are a layout that ends at their peak, and no layout ends below
// their lower bound. Both only move towards each other; they meet at an optimal layout. Cost: a
// round takes at most the steps that it is given, a multiple of StepsOfOneTry().
#include "planner/placement/part_search.h"

#include <algorithm>
#include <array>
#include <utility>

#include "planner/placement/random.h"

namespace pteproof::placement {
namespace {

constexpr std::array kPreorders = {Preorder::kDuration, Preorder::kLoadArea,
                                   Preorder::kLoadDuration};
}  // namespace

PartSearch::PartSearch(std::vector<Item<int64_t>> items, int64_t lower_bound)
    : items_(std::move(items)) {
  bounds_.lower_bound = lower_bound;
}

void PartSearch::Offer(std::vector<int64_t> offsets) {
  bounds_.Keep(offsets, PeakOf(items_, offsets));
}

void PartSearch::Round(int64_t enough, Budget& budget, size_t threads) {
  if (!problem_) {
    problem_ = std::make_unique<Problem>(ProblemOf(items_));
    if (IsPlain(*problem_)) {
      lanes_ = std::make_unique<NicheLanes>(*problem_);
    } else {
      search_ = std::make_unique<CapacitySearch>(*problem_);
    }
  }
  const int64_t goal = std::max(bounds_.lower_bound, enough);
  if (lanes_) return lanes_->Round(goal, bounds_, budget, threads);
  const int64_t before = budget.left();
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
  const auto room = static_cast<double>(bounds_.peak - 1 - goal);
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
      bounds_.lower_bound = std::max(bounds_.lower_bound, capacity + 1);
      break;
    case CapacitySearch::End::kSpent:
      break;
  }
}

}  // namespace pteproof::placement
