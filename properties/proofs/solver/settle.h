// Decides one goal: first from bounds, then from definitions. The decision has the facts that it
// needed, and whether these can be met. Obligations and the bounds of defined symbols are both
// decided here.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_SETTLE_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_SETTLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/proofs/solver/decide.h"
#include "properties/proofs/solver/outcome.h"
#include "properties/proofs/solver/query.h"
#include "properties/proofs/solver/solvers.h"

namespace pteproof::proofs {

// The known facts about a symbol so far.
struct SymbolState {
  bool asked = false;
  // Its range may be assumed without its definition: it has none, or it was shown from it.
  bool bounded = false;
  // Whether the symbols that it depends on have values at all: the solver found a value, none, or
  // neither.
  Outcome::Kind met = Outcome::Kind::kUnknown;
  std::string reason;  // of neither
};

class Settler {
 public:
  // Both outlive it.
  Settler(const Symbols& symbols, const DecideOptions& options);

  // `name` and `comment` are for the files of its queries. Symbols must be earlier where they are
  // mentioned by definitions.
  [[nodiscard]] Decision Settle(const Clause& goal, const std::string& name,
                                const std::string& comment);

 private:
  struct Task;

  [[nodiscard]] bool Prepare(const Clause& goal);
  void Examine(int32_t id);
  [[nodiscard]] bool ShowsBound(const Clause& bound, const std::string& name,
                                const std::string& comment);
  [[nodiscard]] Decision SettlePrepared(const Task& task);
  [[nodiscard]] Outcome AskBoth(const Task& task, Query& query, Decision& decision);
  [[nodiscard]] bool Fold(const Task& task, Decision& decision) const;
  [[nodiscard]] Outcome Ask(const Task& task, const Query& query, const char* suffix,
                            Decision& decision);
  void Conclude(const Query& query, const Outcome& outcome, Decision& decision) const;
  void AddCore(const Query& query, const Outcome& outcome, Decision& decision) const;
  void AskSecond(const Query& query, const Outcome& outcome, Decision& decision);
  void CheckFacts(const Query& query, Decision& decision) const;
  [[nodiscard]] bool HoldsWithoutFacts(const Task& task, const Decision& decision);

  const Symbols& symbols_;
  const DecideOptions& options_;
  Solvers solvers_;
  std::vector<std::string> names_;  // by symbol id
  std::vector<SymbolState> states_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_SETTLE_H_
