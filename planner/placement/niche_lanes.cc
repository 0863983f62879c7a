// Idea. One exact search may end soon or never, and its luck depends on the order of the items. So
// six lanes of searches run side by side, each for capacities of its own:
//
//   lower bound         goal                                             peak
//        |---------------|------------------x-------------------------|---|
//    proved: nothing   lanes 0, 2, 4      lanes 3, 5, anywhere      lane 1, just
//    ends below                           in between                below the peak
//
// Lanes 0 and 1 each have one search, which goes on until it ends or its capacity is passed: they
// prove. The others start anew again and again, with another order and some noise: they find. A
// layout that is found moves the peak down, the proof that there is none moves the bound up.
//
// All offsets in the layouts of a search are sums of sizes, rounded up to the alignment. So peaks
// are multiples of what these share (the granule), and a bound moves up to the next multiple.
//
// Invariant: the bounds' offsets are a layout that ends at the peak, and no layout ends below the
// lower bound. Both only move towards each other; they meet at an optimal layout. In a round no
// lane sees what another one finds, and the results are merged in the order of the lanes: so the
// bounds do not depend on threads. Cost: a round takes the steps of a slice per lane. Slices grow
// with the steps that were taken before, so that threads seldom wait for each other.
#include "planner/placement/niche_lanes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <utility>

#include "planner/placement/random.h"
#include "planner/run_all.h"

namespace pteproof::placement {
namespace {

using Rule = NicheSearch::Rule;
using Order = NicheSearch::Order;

constexpr std::array kRules = {Rule::kLowest, Rule::kTightest};
constexpr std::array kOrders = {Order::kDuration, Order::kSize, Order::kArea};
constexpr size_t kWays = kRules.size() * kOrders.size();

enum class Role : uint8_t { kProveGoal, kProvePeak, kFindGoal, kFindBetween };
constexpr std::array kRoles = {Role::kProveGoal,   Role::kProvePeak, Role::kFindGoal,
                               Role::kFindBetween, Role::kFindGoal,  Role::kFindBetween};

// Each rule with each order, first without noise.
NicheSearch::Way WayOf(int64_t turn, uint64_t seed) {
  constexpr std::array kNoises = {0, 200, 100, 500};
  const auto t = static_cast<size_t>(turn);
  return {kRules[t % kRules.size()], kOrders[t / kRules.size() % kOrders.size()],
          kNoises[t / kWays % kNoises.size()], seed};
}

// Lucky searches end within these.
int64_t StepsOfOneTry(const Problem& problem) {
  constexpr int64_t kFewest = 500'000;
  constexpr int64_t kPerItemAndSection = 8;
  return kFewest + kPerItemAndSection * problem.count() * problem.section_count;
}

// A start sorts the items and goes through their sections.
int64_t StepsOfAStart(const Problem& problem) {
  constexpr int64_t kPerItem = 20;
  return kPerItem * problem.count() + static_cast<int64_t>(problem.sections_of.size());
}

// Offsets are sums of sizes, each rounded up.
int64_t GranuleOf(const Problem& problem) {
  int64_t granule = 0;
  for (const Item<int64_t>& item : problem.items) granule = std::gcd(granule, item.size);
  return granule % problem.alignment == 0 ? granule : std::gcd(granule, problem.alignment);
}

}  // namespace

NicheLanes::NicheLanes(const Problem& problem) : problem_(problem), granule_(GranuleOf(problem)) {
  for (Lane& lane : lanes_) lane.search = std::make_unique<NicheSearch>(problem);
}

void NicheLanes::Round(int64_t goal, Bounds& bounds, Budget& budget, size_t threads) {
  constexpr int64_t kFirstSlice = 250'000;
  constexpr int64_t kGrowth = 32;
  const int64_t slice = std::max(kFirstSlice, spent_ / kGrowth);
  int64_t left = budget.left();
  std::vector<Budget> slices;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    slices.push_back(budget.Slice(std::min(slice, left)));
    left -= slices.back().left();
  }
  std::atomic<bool> done = false;  // on one thread: by an earlier lane
  RunAll(kLanes, threads, [&](size_t lane) {
    if (threads == 1 && done) return;
    Run(lane, goal, bounds, slices[lane]);
    done = done || lanes_[lane].bounds.peak <= goal;
  });
  for (const Lane& lane : lanes_) {
    bounds.Keep(lane.bounds.offsets, lane.bounds.peak);
    bounds.lower_bound = std::max(bounds.lower_bound, lane.bounds.lower_bound);
    spent_ += lane.spent;
    budget.Spend(lane.spent);
    if (bounds.peak <= std::max(goal, bounds.lower_bound)) return;
  }
}

// Until the slice is spent, or the lane alone has found enough.
void NicheLanes::Run(size_t index, int64_t goal, const Bounds& bounds, Budget slice) {
  Lane& lane = lanes_[index];
  lane.bounds = bounds;
  const int64_t before = slice.left();
  while (slice.left() > 0 && lane.bounds.peak > std::max(goal, lane.bounds.lower_bound)) {
    if (Restart(index, goal)) slice.Spend(StepsOfAStart(problem_));
    Budget one = slice.Slice(lane.left);
    const int64_t most = one.left();
    const NicheSearch::End end = lane.search->Go(one);
    slice.Spend(most - one.left());
    lane.left -= most - one.left();
    if (end == NicheSearch::End::kFound) {
      const std::vector<int64_t>& offsets = lane.search->offsets();
      lane.bounds.Keep(offsets, PeakOf(problem_.items, offsets));
    } else if (end == NicheSearch::End::kNone) {
      const int64_t next = (lane.capacity / granule_ + 1) * granule_;
      lane.bounds.lower_bound = std::max(lane.bounds.lower_bound, next);
    }
    if (end != NicheSearch::End::kSpent || lane.left <= 0) lane.capacity = -1;
  }
  lane.spent = before - slice.left();
}

// A new search, unless one runs whose end would still tell something. Says whether it did.
bool NicheLanes::Restart(size_t index, int64_t goal) {
  Lane& lane = lanes_[index];
  const Role role = kRoles[index];
  const bool finds = role == Role::kFindGoal || role == Role::kFindBetween;
  const int64_t lowest = std::max(goal, lane.bounds.lower_bound);
  const int64_t highest = std::max(lowest, lane.bounds.peak - granule_);
  const bool may_go_on = lane.capacity >= lowest && lane.capacity <= highest;
  if (may_go_on && (role != Role::kProvePeak || lane.capacity == highest)) return false;
  const int64_t turn = lane.turns++;
  Random random(static_cast<uint64_t>(turn) * kRoles.size() + index);
  lane.capacity = role == Role::kProvePeak ? highest : lowest;
  if (role == Role::kFindBetween) {
    const auto granules = static_cast<double>((highest - lowest) / granule_);
    lane.capacity += static_cast<int64_t>(random.Fraction() * granules) * granule_;
  }
  NicheSearch::Way way = {role == Role::kProvePeak ? Rule::kTightest : Rule::kLowest};
  if (finds) way = WayOf(2 * turn + (index < 4 ? 0 : 1), random.Next());
  lane.left = finds ? StepsOfOneTry(problem_) * Luby(2 * turn / static_cast<int64_t>(kWays) + 1)
                    : std::numeric_limits<int64_t>::max();
  lane.search->Start(lane.capacity, way);
  return true;
}

}  // namespace pteproof::placement
