// Runs a function on symbolic integers once for every way through it: if a comparison can go both
// ways, one way is taken now and the other one in a later run. Z3 keeps the conditions of the
// current way. A concrete value of each variable shows one possible way without a question, so a
// comparison costs one question and not two. Independent of the function's purpose.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_EXPLORER_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_EXPLORER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/proofs/planner/linear_sum.h"
#include "properties/proofs/planner/path_facts.h"
#include "properties/proofs/planner/path_solver.h"
#include "properties/proofs/planner/symbolic_int.h"
#include "properties/proofs/terms/question.h"

namespace pteproof::proofs {

// Thrown by functions that a run calls when the exploration is over; Explore() catches it.
struct PathEnd {
  std::string why;  // empty: a goal does not hold
};

// One of these must hold at the end of a path.
struct PathGoal {
  std::string_view property;  // for people
  std::vector<PathAtom> any_of;
};

struct PathReport {
  // kProved: all ways were taken to their ends and all goals hold there. kRefuted: `values` break
  // `property`, as far as RoundUp describes rounding. kUnknown: the exploration was cut, and `why`
  // is the reason.
  Answer answer = Answer::kUnknown;
  std::string why;
  int64_t paths = 0;
  int64_t queries = 0;  // to the solver
  std::string_view property;
  std::vector<int64_t> values;  // by variable
};

class PathExplorer {
 public:
  // `seconds`: when to cut.
  explicit PathExplorer(double seconds);
  PathExplorer(const PathExplorer&) = delete;
  PathExplorer& operator=(const PathExplorer&) = delete;

  // Runs `body` until all ways are taken. It must do the same whenever comparisons go the same way.
  // Explorations of one explorer have nothing to do with each other.
  [[nodiscard]] PathReport Explore(const std::function<void()>& body);

  // For `body`. A new integer of at least `least`.
  [[nodiscard]] SymbolicInt Variable(int64_t least);
  // A new integer of at least 0 that is a multiple of an alignment.
  [[nodiscard]] SymbolicInt MultipleOf(const SymbolicInt& alignment);
  // Ends this path and the exploration where a goal does not hold.
  void Require(const std::vector<PathGoal>& goals);

  // For SymbolicInt. Whether it is so on this path.
  [[nodiscard]] bool Decide(const PathAtom& atom);
  // The smallest multiple of the alignment that is not below the value. With a constant alignment
  // the description is exact. Otherwise the result is some r with value <= r <= value + alignment -
  // 1 that counts as a multiple of the alignment, and of all alignments that are known to be no
  // larger (alignments are powers of two). Further facts: r is monotone in the value, r is not
  // above any known multiple that the value is not above, and multiples within the value stay
  // unchanged. So a proof holds for real rounding, and a refutation may not.
  [[nodiscard]] LinearSum RoundUp(const LinearSum& value, const LinearSum& alignment);

 private:
  using Clock = std::chrono::steady_clock;

  struct Decision {
    PathAtom atom;                      // as it holds on this path
    bool open = false;                  // the other way is possible and was not taken yet
    bool pushed = false;                // the solver has a level for it
    int32_t declared = 0;               // variables that the solver knew of before
    bool followed = false;              // what follows from it was said to the solver
    std::vector<int64_t> other_values;  // of the other way
  };

  struct Rounding {
    LinearSum value;
    LinearSum alignment;
    LinearSum result;
  };

  LinearSum NewVariable(std::optional<int64_t> least, int64_t value, LinearSum multiple_of);
  void Declare(const LinearSum& variable, const std::vector<PathAtom>& atoms);
  void Assert(const std::vector<PathAtom>& atoms);
  void AddLeastMultiple(const Rounding& rounding, const LinearSum& at_most_zero,
                        std::vector<PathAtom>& atoms) const;
  [[nodiscard]] bool AllMultiples(const LinearSum& sum, const LinearSum& alignment) const;
  [[nodiscard]] LinearSum Rounded(const LinearSum& value, const LinearSum& alignment);
  [[nodiscard]] PathSolver::Reply Ask(const std::vector<std::vector<PathAtom>>& cases);
  [[nodiscard]] bool IsMultiple(const LinearTerm& term, const LinearSum& alignment);
  [[nodiscard]] bool TurnAround();
  void BeginPath();

  Clock::time_point deadline_;
  PathSolver solver_;
  PathReport report_;
  std::vector<Decision> decisions_;
  int32_t declared_ = 0;         // variables that the solver knows of
  std::vector<int64_t> values_;  // by variable: they go this way

  // Of this run.
  size_t next_ = 0;  // decision
  int32_t variables_ = 0;
  std::vector<LinearSum> multiple_of_;  // by variable; 0: of nothing known
  PathFacts facts_;
  std::vector<Rounding> rounded_;  // equal ones once
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_EXPLORER_H_
