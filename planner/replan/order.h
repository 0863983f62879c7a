// Instructions in another order that data, stores and calls that nobody knows allow.
#ifndef PTEPROOF_PLANNER_REPLAN_ORDER_H_
#define PTEPROOF_PLANNER_REPLAN_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "meaning/method_meaning.h"
#include "planner/lift/webs.h"
#include "planner/replan/fixed_bytes.h"
#include "planner/replan/order_search.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// Whether a method has neither jumps nor moves.
[[nodiscard]] bool IsStraight(const Method& method);

// Tasks are instructions, and items are the webs that move. Of two instructions of which one writes
// what the other reads or writes, the first stays ahead; so do calls of delegates, of operators
// that nobody knows, and of those whose results are random. `webs`: of the straight method.
[[nodiscard]] OrderProblem OrderProblemOf(const meaning::MethodMeaning& meant,
                                          const MethodWebs& webs, const FixedBytes& fixed);

// Sets of done instructions that a search follows at once: equal work for every method.
[[nodiscard]] int64_t WidthOf(size_t instructions);

struct Reordered {
  Program program;
  // Per method and instruction of the old program, its number in the new one; and the same of
  // values. Empty for a method that is as it was.
  std::vector<std::vector<int32_t>> now_at;
  std::vector<std::vector<int32_t>> values_at;

  [[nodiscard]] bool moves() const;
};

// Straight methods in the order that takes the fewest bytes at once, of those that are found.
// Values get numbers in the order in which they are made, as an exporter gives them: from these it
// is read when a name was made. `program` is spread out: an old plan may be wrong for another
// order. `kept`: what all methods keep.
[[nodiscard]] Reordered ReorderedOf(const Program& program, const Manifest* manifest,
                                    std::span<const MethodWebs> webs,
                                    std::span<const std::vector<BankBytes>> kept);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_ORDER_H_
