#include "properties/proofs/solver/solvers.h"

#include "properties/proofs/solver/smt_text.h"

namespace pteproof::proofs {

Solvers::Solvers(const DecideOptions& options) : choice_(options.solver) {
  if (choice_ != SolverChoice::kCvc5) z3_.emplace(options.megabytes);
  if (choice_ != SolverChoice::kZ3)
    cvc5_.emplace(options.cvc5, options.megabytes, choice_ == SolverChoice::kCvc5);
}

Solvers::Answered Solvers::Ask(const Query& query, uint32_t milliseconds) {
  const auto [at, fresh] = first_.try_emplace(SmtBodyOf(query, PlainNames(query)).text, Outcome{});
  if (fresh) {
    at->second = z3_ ? z3_->Ask(query, milliseconds) : cvc5_->Ask(query, milliseconds);
  }
  return {at->second, !fresh};
}

std::optional<Outcome> Solvers::AskSecond(const Query& query, uint32_t milliseconds) {
  if (choice_ != SolverChoice::kBoth) return std::nullopt;
  const auto [at, fresh] = second_.try_emplace(SmtBodyOf(query, PlainNames(query)).text, Outcome{});
  if (fresh) at->second = cvc5_->Ask(query, milliseconds);
  return at->second;
}

}  // namespace pteproof::proofs
