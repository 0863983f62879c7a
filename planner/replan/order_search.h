// In which order tasks take the fewest bytes at once, if some must come before others and each item
// is there from its first task to its last one. No files, no instructions: order.h has them.
#ifndef PTEPROOF_PLANNER_REPLAN_ORDER_SEARCH_H_
#define PTEPROOF_PLANNER_REPLAN_ORDER_SEARCH_H_

#include <cstdint>
#include <vector>

namespace pteproof::planner {

struct OrderedItem {
  int64_t bytes = 0;
  std::vector<int32_t> tasks;  // that use it
  bool at_start = false;       // it is there before the first task
  bool at_end = false;         // and stays behind the last one
};

struct OrderProblem {
  std::vector<std::vector<int32_t>> before;  // per task: those that come before it, smaller numbers
  std::vector<OrderedItem> items;
};

struct FoundOrder {
  std::vector<int32_t> order;  // tasks
  int64_t peak = 0;            // the most bytes that are there during a task
  int64_t least = 0;           // no order has a lower one, which is proved

  [[nodiscard]] bool is_best() const { return peak == least; }
};

// In the order of their numbers.
[[nodiscard]] int64_t PeakOf(const OrderProblem& problem);

// Never worse than the order of their numbers. `width`: sets of done tasks that are followed at
// once; the best order is found if there are never more. O(width x tasks x (ready tasks and their
// items)), and as often again as halving what is between the least and the found peak takes; after
// a limit on all of it, the best order that is known.
[[nodiscard]] FoundOrder BestOrder(const OrderProblem& problem, int64_t width);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_ORDER_SEARCH_H_
