// Facts of a path that need no solver: earlier decisions, lower bounds of variables, and immediate
// consequences of one of these. Incomplete: contradictions are not found, and open questions go to
// the solver.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_FACTS_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_FACTS_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "properties/proofs/planner/linear_sum.h"
#include "properties/proofs/planner/path_solver.h"

namespace pteproof::proofs {

class PathFacts {
 public:
  void Clear();
  // The next variable, and the least value it can have; nothing: it is not known.
  void AddVariable(std::optional<int64_t> least) { least_.push_back(least); }
  void Learn(const PathAtom& atom);
  // The sums that are known to be at most 0.
  [[nodiscard]] const std::vector<LinearSum>& AtMostZero() const { return at_most_zero_; }

  // O(1) for facts that were learned before, O(facts) otherwise.
  [[nodiscard]] std::optional<bool> Known(const PathAtom& atom) const;
  // A lower bound of the sum by the bounds of its variables; nothing: no bound is known.
  [[nodiscard]] std::optional<int64_t> LeastOf(const LinearSum& sum) const;

 private:
  [[nodiscard]] bool FollowsAtOnce(const LinearSum& at_most_zero) const;

  std::vector<std::optional<int64_t>> least_;                 // per variable
  std::vector<LinearSum> at_most_zero_;                       // facts
  std::unordered_map<LinearSum, bool, LinearSumHash> seen_;   // is it at most zero?
  std::unordered_map<LinearSum, bool, LinearSumHash> zeros_;  // is it zero? The first factor > 0
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_FACTS_H_
