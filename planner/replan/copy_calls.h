// Calls that only copy bytes, each of which may go if it were the only one.
#ifndef PTEPROOF_PLANNER_REPLAN_COPY_CALLS_H_
#define PTEPROOF_PLANNER_REPLAN_COPY_CALLS_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "meaning/method_meaning.h"
#include "planner/lift/webs.h"

namespace pteproof::planner {

// A value that lies in another one, that many bytes behind its start, and moves there.
struct Inside {
  int32_t value = 0;
  int32_t whole = 0;
  uint64_t at = 0;
};

struct CopyCall {
  std::vector<Inside> moves;  // all into one value
  bool parts_move = false;    // of a concatenation, and else results
  bool may_share = false;     // what stays is read by this call, and what moves is no output
};

// Whether calls of an operator may be such.
[[nodiscard]] bool MayOnlyCopy(std::string_view op);

// By instruction. `webs`: of the method, which has neither jumps nor moves. O(n log n) in
// instructions and arguments.
[[nodiscard]] std::map<int32_t, CopyCall> CopyCallsOf(const meaning::MethodMeaning& meant,
                                                      const MethodWebs& webs);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_COPY_CALLS_H_
