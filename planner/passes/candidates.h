// Which steps a pass looks at, and in which order.
#ifndef PTEPROOF_PLANNER_PASSES_CANDIDATES_H_
#define PTEPROOF_PLANNER_PASSES_CANDIDATES_H_

#include <algorithm>
#include <functional>
#include <vector>

#include "planner/code/code.h"
#include "planner/passes/sharing.h"

namespace pteproof::planner {

// Steps of which `is` holds, those with the most bytes first.
template <class Is>
std::vector<const Step*> LargestFirst(const Code& code, const Sharing& sharing, const Is& is) {
  std::vector<const Step*> steps;
  for (const Step& step : code.steps) {
    if (is(step)) steps.push_back(&step);
  }
  std::ranges::stable_sort(steps, std::ranges::greater(), [&](const Step* step) {
    return sharing.BytesOf(step->results.front());
  });
  return steps;
}

// By value: whether a delegate is given it. That must be seen to be written: a delegate's results
// are told by that nothing wrote them before.
[[nodiscard]] std::vector<bool> GivenToDelegates(const Code& code);

// By value: whether the file will say that only a run knows its sizes: it is stacked row by row, or
// updated in place since then. Readers of the file look for parts and wholes of one size.
[[nodiscard]] std::vector<bool> StackedByRows(const Code& code, const Sharing& sharing);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_CANDIDATES_H_
