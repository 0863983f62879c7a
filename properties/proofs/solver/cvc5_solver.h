// Queries to cvc5, as a child process that is kept from query to query and spoken to in SMT-LIB 2.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_CVC5_SOLVER_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_CVC5_SOLVER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "properties/proofs/solver/child_process.h"
#include "properties/proofs/solver/outcome.h"
#include "properties/proofs/solver/query.h"

namespace pteproof::proofs {

class Cvc5Solver {
 public:
  // `executable` is looked for in PATH. Nothing is started before the first query. Without
  // `details` outcomes have neither core nor values, and come sooner.
  Cvc5Solver(std::string executable, uint32_t megabytes, bool details);

  // A failure of the process is an unknown outcome with the reason; the next query starts a new
  // process.
  [[nodiscard]] Outcome Ask(const Query& query, uint32_t milliseconds);

 private:
  [[nodiscard]] std::optional<std::string> Start(uint32_t milliseconds);

  std::string executable_;
  uint32_t megabytes_;
  bool details_;
  uint32_t limit_ = 0;  // milliseconds for each query, that the child was started with
  std::optional<ChildProcess> child_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_CVC5_SOLVER_H_
