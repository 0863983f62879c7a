// The bytes of a program's banks that a new plan leaves alone: state, wherever a method keeps it.
#ifndef PTEPROOF_PLANNER_REPLAN_FIXED_BYTES_H_
#define PTEPROOF_PLANNER_REPLAN_FIXED_BYTES_H_

#include <span>
#include <vector>

#include "planner/lift/webs.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// By method, what other methods leave alone and have to go on leaving alone: its state, and outputs
// that the caller may read after later calls. Each list is ascending and disjoint.
[[nodiscard]] std::vector<std::vector<BankBytes>> KeptBytesOf(const Program& program,
                                                              std::span<const MethodWebs> webs);

struct FixedBytes {
  std::vector<bool> webs;         // per value that is the first of its web: the web stays
  std::vector<BankBytes> ranges;  // ascending, disjoint: of those webs, and not to be moved to
};

// Of a method, by what all methods keep. A web stays if it holds kept bytes, or if a call leaves
// some of it where a call of any method finds state. Kept bytes of other methods that the method
// does not touch stay untouched. O(n log n) in values and ranges.
[[nodiscard]] FixedBytes FixedBytesOf(const Program& program, std::span<const MethodWebs> webs,
                                      std::span<const std::vector<BankBytes>> kept, size_t method);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_FIXED_BYTES_H_
