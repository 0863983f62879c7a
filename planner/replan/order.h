// Instructions in another order that data, stores and calls that nobody knows allow.
#ifndef PTEPROOF_PLANNER_REPLAN_ORDER_H_
#define PTEPROOF_PLANNER_REPLAN_ORDER_H_

#include "meaning/method_meaning.h"
#include "planner/lift/webs.h"
#include "planner/replan/fixed_bytes.h"
#include "planner/replan/order_search.h"

namespace pteproof::planner {

// Whether a method has neither jumps nor moves.
[[nodiscard]] bool IsStraight(const Method& method);

// Tasks are instructions, and items are the webs that move. Of two instructions of which one writes
// what the other reads or writes, the first stays ahead; so do calls of delegates, of operators
// that nobody knows, and of those whose results are random. `webs`: of the straight method.
[[nodiscard]] OrderProblem OrderProblemOf(const meaning::MethodMeaning& meant,
                                          const MethodWebs& webs, const FixedBytes& fixed);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_ORDER_H_
