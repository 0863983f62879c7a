// Z3 for the path explorer: a stack of conditions over integer variables, and questions whether
// more can hold besides. Hides Z3's headers and exceptions: a question without an answer is
// "unknown".
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_SOLVER_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_SOLVER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/proofs/planner/linear_sum.h"

namespace pteproof::proofs {

enum class SumSign : uint8_t { kAtMostZero, kZero, kNotZero };

// A statement about one sum.
struct PathAtom {
  LinearSum sum;
  SumSign sign = SumSign::kAtMostZero;
};

[[nodiscard]] PathAtom Negation(const PathAtom& atom);
[[nodiscard]] bool Holds(const PathAtom& atom, const std::vector<int64_t>& values);

class PathSolver {
 public:
  PathSolver();
  ~PathSolver();
  PathSolver(const PathSolver&) = delete;
  PathSolver& operator=(const PathSolver&) = delete;

  // Conditions added after it go with Pop().
  void Push();
  void Pop();
  void Add(const PathAtom& atom);

  struct Reply {
    // Nothing: `why` is the reason why the solver gave no answer.
    std::optional<bool> possible = std::nullopt;
    std::vector<int64_t> values = {};  // where possible: a model, by variable
    std::string why = {};
  };
  // Whether all conditions can hold together with all atoms of one of `cases`, for variables below
  // `variables`. Gives up after some seconds' worth of work.
  [[nodiscard]] Reply Ask(const std::vector<std::vector<PathAtom>>& cases, int32_t variables);

 private:
  struct Z3;
  std::unique_ptr<Z3> z3_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PATH_SOLVER_H_
