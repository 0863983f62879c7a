// Changes to a code's list of steps that keep the jumps right.
#ifndef PTEPROOF_PLANNER_CODE_EDIT_H_
#define PTEPROOF_PLANNER_CODE_EDIT_H_

#include <cstdint>
#include <vector>

#include "planner/code/code.h"

namespace pteproof::planner {

// Takes out the steps that are marked. A jump to one of them goes to the next that stays.
void RemoveSteps(Code& code, const std::vector<bool>& marked);

// By step, and once more for the end: whether what is put before it runs exactly once in each run.
[[nodiscard]] std::vector<bool> IsStraight(const Code& code);

struct Insertion {
  size_t before = 0;  // index of a step, or the count of steps
  Step step;          // no jump
};

// Puts steps before others, in the order given where they go to one place. They run on every way
// to that step but the way back of a loop that begins there.
void InsertSteps(Code& code, std::vector<Insertion> insertions);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_CODE_EDIT_H_
