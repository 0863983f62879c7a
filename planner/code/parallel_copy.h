// Assignments that all happen at once, as copies one after the other.
#ifndef PTEPROOF_PLANNER_CODE_PARALLEL_COPY_H_
#define PTEPROOF_PLANNER_CODE_PARALLEL_COPY_H_

#include <vector>

#include "planner/code/code.h"

namespace pteproof::planner {

// `to` becomes what `from` was before any of them.
struct Assignment {
  ValueId to = -1;    // the new contents
  ValueId over = -1;  // the value whose bytes they take, so that it is gone afterwards; -1: none
  ValueId from = -1;
};

// The same as copies in an order in which nothing is read after it was overwritten. Where they go
// round in a circle, a value is copied to a new one first, which readers take from then on. A
// source that is a view of what is overwritten is copied before, where it can be, so that the view
// need not be a copy itself. Assignments of what is there already are dropped. The values that are
// overwritten differ. O(n^2) in assignments, which are few.
[[nodiscard]] std::vector<Assignment> InOrder(std::vector<Assignment> assignments, Code& code);

// The oldest value that holds the same bytes.
[[nodiscard]] ValueId RootOf(const Code& code, ValueId value);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_CODE_PARALLEL_COPY_H_
