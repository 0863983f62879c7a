// Looks for lower layouts of one part of the items, and for the proof that there is none: round
// after round of exact searches, each cut off.
#ifndef PTEPROOF_PLANNER_PLACEMENT_PART_SEARCH_H_
#define PTEPROOF_PLANNER_PLACEMENT_PART_SEARCH_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "planner/placement/budget.h"
#include "planner/placement/capacity_search.h"
#include "planner/placement/problem.h"

namespace pteproof::placement {

class PartSearch {
 public:
  // Items of one part, in the total order, and a bound below which no layout ends.
  PartSearch(std::vector<Item<int64_t>> items, int64_t lower_bound);

  // A layout from elsewhere; kept if it is lower.
  void Offer(std::vector<int64_t> offsets);
  // One more search: a long one for a layout that ends at the lower bound, or at `enough` where
  // that is more, or a short one, with some noise, also for one in between.
  void Round(int64_t enough, Budget& budget);

  [[nodiscard]] int64_t peak() const { return peak_; }
  [[nodiscard]] int64_t lower_bound() const { return lower_bound_; }
  [[nodiscard]] const std::vector<int64_t>& offsets() const { return offsets_; }
  [[nodiscard]] size_t count() const { return items_.size(); }

  // Larger parts are left as they are: their searches seldom come to an end.
  static constexpr size_t kMostItems = 2048;

 private:
  void Long(int64_t goal, Budget& budget);
  void Short(int64_t goal, Budget& budget);
  void Try(int64_t capacity, const CapacitySearch::Way& way, int64_t steps, Budget& budget);

  std::vector<Item<int64_t>> items_;
  int64_t lower_bound_ = 0;
  int64_t peak_ = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> offsets_;
  int32_t long_ones_ = 0;
  int32_t short_ones_ = 0;
  int64_t balance_ = 0;               // steps that short ones took more than long ones
  std::unique_ptr<Problem> problem_;  // made when the first round needs it
  std::unique_ptr<CapacitySearch> search_;
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_PART_SEARCH_H_
