// Idea. Steps are numbered by position, so each change maps old positions to new ones and
// translates the targets of jumps. A place is straight if no jump leads over it: a jump forward
// makes the places between skippable, a jump back makes them run again. Both are counted by a
// difference array over the places.
//
//   place      0    1    2    3    4
//   1: jump -> 4         |----|          places 2 and 3 may be skipped
//   over       0    0    1    1    0     straight where 0
//
// Invariant: a jump forward lands before the steps that were inserted at its target, and a jump
// back behind them, so that they do not run again. Cost: O(steps + insertions x log).
#include "planner/code/edit.h"

#include <algorithm>
#include <utility>

namespace pteproof::planner {

void RemoveSteps(Code& code, const std::vector<bool>& marked) {
  std::vector<int32_t> now;  // by step, and for the end
  std::vector<Step> kept;
  for (size_t s = 0; s < code.steps.size(); ++s) {
    now.push_back(static_cast<int32_t>(kept.size()));
    if (!marked[s]) kept.push_back(std::move(code.steps[s]));
  }
  now.push_back(static_cast<int32_t>(kept.size()));
  code.steps = std::move(kept);
  for (Step& step : code.steps) {
    if (step.target >= 0) step.target = now[static_cast<size_t>(step.target)];
  }
}

std::vector<bool> IsStraight(const Code& code) {
  // Before steps (from, to) of a jump forward a path leaves them out; steps (to, from] of a jump
  // back run again.
  std::vector<int32_t> change(code.steps.size() + 2);
  for (size_t s = 0; s < code.steps.size(); ++s) {
    if (code.steps[s].target < 0) continue;
    const auto target = static_cast<size_t>(code.steps[s].target);
    ++change[std::min(s, target) + 1];
    --change[target > s ? target : s + 1];
  }
  std::vector<bool> straight;
  for (size_t s = 0, over = 0; s <= code.steps.size(); ++s) {
    over += static_cast<size_t>(change[s]);
    straight.push_back(over == 0);
  }
  return straight;
}

void InsertSteps(Code& code, std::vector<Insertion> insertions) {
  std::ranges::stable_sort(insertions, {}, &Insertion::before);
  std::vector<int32_t> inserted_at;  // by step: where those before it begin
  std::vector<int32_t> now;
  std::vector<Step> steps;
  auto next = insertions.begin();
  for (size_t s = 0; s <= code.steps.size(); ++s) {
    inserted_at.push_back(static_cast<int32_t>(steps.size()));
    for (; next != insertions.end() && next->before == s; ++next) {
      steps.push_back(std::move(next->step));
    }
    now.push_back(static_cast<int32_t>(steps.size()));
    if (s < code.steps.size()) steps.push_back(std::move(code.steps[s]));
  }
  for (size_t s = 0; s + 1 < now.size(); ++s) {
    Step& step = steps[static_cast<size_t>(now[s])];
    if (step.target < 0) continue;
    const auto target = static_cast<size_t>(step.target);
    step.target = target > s ? inserted_at[target] : now[target];
  }
  code.steps = std::move(steps);
}

}  // namespace pteproof::planner
