// The chosen solvers and their answers: equal questions are asked once.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_SOLVERS_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_SOLVERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "properties/proofs/solver/cvc5_solver.h"
#include "properties/proofs/solver/decide.h"
#include "properties/proofs/solver/outcome.h"
#include "properties/proofs/solver/query.h"
#include "properties/proofs/solver/z3_solver.h"

namespace pteproof::proofs {

class Solvers {
 public:
  explicit Solvers(const DecideOptions& options);

  struct Answered {
    Outcome outcome;
    bool shared = false;  // an equal query was asked before
  };
  [[nodiscard]] Answered Ask(const Query& query, uint32_t milliseconds);

  // Of the second solver; nothing where there is none.
  [[nodiscard]] std::optional<Outcome> AskSecond(const Query& query, uint32_t milliseconds);

 private:
  SolverChoice choice_;
  std::optional<Z3Solver> z3_;
  std::optional<Cvc5Solver> cvc5_;
  std::unordered_map<std::string, Outcome> first_;  // by the query's text with plain names
  std::unordered_map<std::string, Outcome> second_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_SOLVERS_H_
