// Idea. Items that are tied together become one item, and items that share no time, directly or by
// way of others, form parts that are placed independently:
//
//   time  ->   |----A----|            |-----C-----|
//                  |--B--|                |---D---|
//              part 0: A, B           part 1: C, D       the peak is that of the highest part
//
// Every layout of the portfolio is offered to each part, which keeps the lowest. Then exact
// searches run: small parts to their end, and after that always the highest part, until it meets
// the lower bound of the whole or the budget is spent.
//
// Invariant: each part holds a layout that is not above any layout offered to it. So the result is
// never above any plain algorithm; greedy, which is not in the portfolio, is compared at the end.
// Cost: 3 to 10 layouts of PlaceInOrder for the portfolio, then the effort.
#include "planner/placement/best.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "planner/placement/greedy.h"
#include "planner/placement/load.h"
#include "planner/placement/orders.h"
#include "planner/placement/part_search.h"
#include "planner/placement/place_in_order.h"
#include "planner/placement/portfolio.h"
#include "planner/placement/problem.h"
#include "planner/placement/time_index.h"

namespace pteproof::placement {
namespace {

// What small parts may take together: as many steps as an exact search, in the time that was given.
Effort EffortOfSmallParts(const Effort& asked) {
  return {.steps = DefaultEffort(Algorithm::kExact).steps,
          .seconds = asked.seconds,
          .threads = asked.threads};
}

// Of PlaceInOrder, which looks at all pairs of items that share a time point.
int64_t StepsOfOneLayout(std::span<const Item<int64_t>> items) {
  constexpr int64_t kPerItem = 100;
  constexpr int64_t kPerPair = 2;
  int64_t pairs = 0;  // each from either side
  for (const int64_t count : TimeIndex(LivesOf(items)).CountAll()) pairs += count;
  return kPerItem * static_cast<int64_t>(items.size()) + kPerPair * pairs;
}

// Items without ties, in the parts of time that can be placed by themselves.
class Parts {
 public:
  explicit Parts(std::span<const Item<int64_t>> items)
      : items_(items), names_(PartsIn(items, OrderBy(items))) {
    for (const std::vector<int32_t>& names : names_) {
      std::vector<Item<int64_t>> own;
      own.reserve(names.size());
      for (const int32_t i : names) own.push_back(items[static_cast<size_t>(i)]);
      const int64_t load = LoadOf(own);
      parts_.emplace_back(std::move(own), load);
    }
  }

  [[nodiscard]] int64_t lower_bound() const {
    int64_t bound = 0;
    for (const PartSearch& part : parts_) bound = std::max(bound, part.lower_bound());
    return bound;
  }

  void RunPortfolio(Budget& budget) {
    const int64_t steps = StepsOfOneLayout(items_);
    const int64_t bound = lower_bound();
    size_t done = 0;
    VisitPortfolio(items_, [&](const std::vector<int64_t>& offsets) {
      bool open = false;
      for (size_t p = 0; p < parts_.size(); ++p) {
        std::vector<int64_t> own;
        own.reserve(names_[p].size());
        for (const int32_t i : names_[p]) own.push_back(offsets[static_cast<size_t>(i)]);
        parts_[p].Offer(std::move(own));
        open = open || parts_[p].peak() > bound;
      }
      ++done;
      const bool may_go_on = budget.Spend(steps) || done < kPlainOnes;
      return open && may_go_on;
    });
  }

  void Search(const Effort& effort, Budget& budget) {
    Budget own(EffortOfSmallParts(effort));
    int64_t bound = lower_bound();
    for (PartSearch& part : parts_) {
      if (part.count() > kAlwaysExact) continue;
      while (own.left() > 0 && part.peak() > std::max(bound, part.lower_bound())) {
        part.Round(bound, own, effort.threads);
      }
      bound = std::max(bound, part.lower_bound());
    }
    while (budget.left() > 0) {
      PartSearch* highest = Highest();
      if (highest == nullptr || highest->count() > PartSearch::kMostItems) return;
      const int64_t enough = lower_bound();
      if (highest->peak() <= enough) return;
      highest->Round(enough, budget, effort.threads);
    }
  }

  // Per item its offset.
  [[nodiscard]] std::vector<int64_t> Offsets() const {
    std::vector<int64_t> offsets;
    offsets.reserve(items_.size());
    for (const Item<int64_t>& item : items_) offsets.push_back(item.fixed.value_or(0));
    for (size_t p = 0; p < parts_.size(); ++p) {
      for (size_t i = 0; i < names_[p].size(); ++i) {
        offsets[static_cast<size_t>(names_[p][i])] = parts_[p].offsets()[i];
      }
    }
    return offsets;
  }

 private:
  PartSearch* Highest() {
    const auto highest = std::ranges::max_element(parts_, {}, &PartSearch::peak);
    return highest == parts_.end() ? nullptr : &*highest;
  }

  std::span<const Item<int64_t>> items_;
  std::vector<std::vector<int32_t>> names_;  // per part: its items
  std::vector<PartSearch> parts_;
};

}  // namespace

Outcome Best(std::span<const Item<int64_t>> items, const Effort& effort) {
  const Groups<int64_t> groups = GroupsOf(items);
  Parts parts(groups.items);
  Budget budget(effort);
  parts.RunPortfolio(budget);
  parts.Search(effort, budget);
  Outcome outcome{LayoutOf(items, groups, parts.Offsets()), parts.lower_bound()};
  if (outcome.optimal()) return outcome;
  Layout<int64_t> greedy = Greedy(items);
  if (greedy.peak < outcome.layout.peak) outcome.layout = std::move(greedy);
  return outcome;
}

}  // namespace pteproof::placement
