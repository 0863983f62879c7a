// Which steps read and write each value of a code.
#ifndef PTEPROOF_PLANNER_PASSES_ACCESSES_H_
#define PTEPROOF_PLANNER_PASSES_ACCESSES_H_

#include <cstdint>
#include <vector>

#include "planner/code/code.h"

namespace pteproof::planner {

// By ValueId, ascending and without repeats, indices of steps.
struct Accesses {
  std::vector<std::vector<int32_t>> reads;    // as an operand, in lists too
  std::vector<std::vector<int32_t>> writes;   // whole, as a result
  std::vector<std::vector<int32_t>> updates;  // in part, as an operand; these are reads too
  std::vector<std::vector<int32_t>> begins;   // Step::begins
};

// O(operands + results).
[[nodiscard]] Accesses AccessesOf(const Code& code);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_ACCESSES_H_
