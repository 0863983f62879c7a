// A query as SMT-LIB 2 text that stands alone: any solver can be asked it again. Knows no solver.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_SMT_TEXT_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_SMT_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "properties/proofs/solver/query.h"

namespace pteproof::proofs {

// The names that a text calls things by, as SMT-LIB symbols.
struct SmtNames {
  std::vector<std::string> symbols;  // one for each of Query::mentioned
  std::vector<std::string> facts;    // one for each of FactsOf; none: assertions have no names
  std::string goal;                  // of the assertion that the goal does not hold
};

// x0, x1 .. and f0, f1 ..: equal for equal questions, whatever the names of their symbols.
[[nodiscard]] SmtNames PlainNames(const Query& query);

// The symbols' own names, quoted. Characters that SMT-LIB does not allow in names are replaced, and
// equal names get a number.
[[nodiscard]] SmtNames OwnNames(const Query& query);

struct SmtBody {
  std::string text;         // declarations and assertions: unsatisfiable where the goal holds
  bool non_linear = false;  // products of symbols, or division by one
};

// Deterministic; names are used as they are.
[[nodiscard]] SmtBody SmtBodyOf(const Query& query, const SmtNames& names);

// A whole file: `comment` in its first line, set-logic, the body with own names, check-sat.
[[nodiscard]] std::string SmtFile(const Query& query, std::string_view comment);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_SMT_TEXT_H_
