// Queries to Z3, in this process: one context that is kept from query to query. The names of Z3's
// own interface stay out of here.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_Z3_SOLVER_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_Z3_SOLVER_H_

#include <memory>

#include "properties/proofs/solver/outcome.h"
#include "properties/proofs/solver/query.h"

namespace pteproof::proofs {

class Z3Solver {
 public:
  // Z3 counts memory over the whole process: this sets the limit for all of its contexts.
  explicit Z3Solver(uint32_t megabytes);
  ~Z3Solver();
  Z3Solver(const Z3Solver&) = delete;
  Z3Solver& operator=(const Z3Solver&) = delete;

  // Never throws: a failure within Z3 is an unknown outcome with the reason.
  [[nodiscard]] Outcome Ask(const Query& query, uint32_t milliseconds);

 private:
  struct State;
  std::unique_ptr<State> state_;  // none: to be made anew
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_Z3_SOLVER_H_
