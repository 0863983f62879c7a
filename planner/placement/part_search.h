// Looks for lower layouts of one part of the items, and for the proof that there is none: round
// after round of exact searches, each cut off.
#ifndef PTEPROOF_PLANNER_PLACEMENT_PART_SEARCH_H_
#define PTEPROOF_PLANNER_PLACEMENT_PART_SEARCH_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "planner/placement/bounds.h"
#include "planner/placement/budget.h"
#include "planner/placement/capacity_search.h"
#include "planner/placement/niche_lanes.h"
#include "planner/placement/problem.h"

namespace pteproof::placement {

class PartSearch {
 public:
  // Items of one part, in the total order, and a bound below which no layout ends.
  PartSearch(std::vector<Item<int64_t>> items, int64_t lower_bound);

  // A layout from elsewhere; kept if it is lower.
  void Offer(std::vector<int64_t> offsets);
  // Goes on for a while. No layout need end below `enough`. Plain items are searched on so many
  // threads (niche_lanes.h). Of others one search is made: a long one for the goal, or a short one,
  // with some noise, also for a layout in between.
  void Round(int64_t enough, Budget& budget, size_t threads);

  [[nodiscard]] int64_t peak() const { return bounds_.peak; }
  [[nodiscard]] int64_t lower_bound() const { return bounds_.lower_bound; }
  [[nodiscard]] const std::vector<int64_t>& offsets() const { return bounds_.offsets; }
  [[nodiscard]] size_t count() const { return items_.size(); }

  // Larger parts are left as they are: their searches seldom come to an end.
  static constexpr size_t kMostItems = 2048;

 private:
  void Long(int64_t goal, Budget& budget);
  void Short(int64_t goal, Budget& budget);
  void Try(int64_t capacity, const CapacitySearch::Way& way, int64_t steps, Budget& budget);

  std::vector<Item<int64_t>> items_;
  Bounds bounds_;
  int32_t long_ones_ = 0;
  int32_t short_ones_ = 0;
  int64_t balance_ = 0;                     // steps that short ones took more than long ones
  std::unique_ptr<Problem> problem_;        // made when the first round needs it
  std::unique_ptr<NicheLanes> lanes_;       // of plain items
  std::unique_ptr<CapacitySearch> search_;  // of others
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_PART_SEARCH_H_
