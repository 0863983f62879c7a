// The webs of a method as a new plan moves them: each value with its web, its distance from the
// others of the web, and the web's life.
#ifndef PTEPROOF_PLANNER_REPLAN_MOVING_WEBS_H_
#define PTEPROOF_PLANNER_REPLAN_MOVING_WEBS_H_

#include <cstdint>
#include <vector>

#include "planner/lift/webs.h"
#include "planner/replan/fixed_bytes.h"

namespace pteproof::planner {

struct MovingWebs {
  // Per value: one of its web; -1: it moves with none. A value that nothing touches moves with the
  // value whose name it is: one in its very place.
  std::vector<int32_t> web;
  std::vector<int64_t> at;     // per value: bytes, counted alike within a web; at first its offset
  std::vector<LiveSet> lives;  // by the value that `web` names
};

[[nodiscard]] MovingWebs MovingWebsOf(const Method& method, const MethodWebs& webs);

// A result that takes the bytes of an operand which dies there.
struct LaidOver {
  int32_t instruction = 0;
  int32_t operand = 0;  // values
  int32_t result = 0;

  bool operator==(const LaidOver&) const = default;
};

// Joins webs so that results lie over dying operands, if the operator reads element i of the
// operand only to write element i of the result, and its kernel is known to allow it
// (op_over_operand.h). In the order of the instructions. O(instructions x operands x spans of their
// webs).
[[nodiscard]] std::vector<LaidOver> LayOver(const Method& method, const MethodWebs& webs,
                                            const FixedBytes& fixed, MovingWebs& moving);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_MOVING_WEBS_H_
