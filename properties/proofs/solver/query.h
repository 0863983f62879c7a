// One question to a solver: can the facts about some symbols be met while a goal does not hold?
// Which symbols and which facts are chosen here, once for every solver and for the text.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_QUERY_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/proofs/terms/question.h"

namespace pteproof::proofs {

// The facts that may be assumed of one symbol.
struct Assumed {
  bool range = true;        // its lo and hi
  bool definition = false;  // that it equals its definition
};

struct QuerySymbol {
  int32_t id = 0;
  Assumed assumed;
};

// Points into the Symbols and the Clause that it was made from.
struct Query {
  const Symbols* symbols = nullptr;
  std::vector<QuerySymbol> mentioned;  // by first mention: equal questions number them equally
  const Clause* goal = nullptr;        // an empty one asks whether the facts can be met
};

// One assertion of a query.
struct Fact {
  enum class Kind : uint8_t { kAtLeast, kAtMost, kEqual };
  Kind kind = Kind::kAtLeast;
  int32_t id = 0;
};

// The question whether `goal` holds. `assumed` gives the facts (by id) of each symbol that the goal
// mentions, itself or through assumed definitions. Nothing if a symbol is undefined or a definition
// mentions a symbol that is not earlier.
[[nodiscard]] std::optional<Query> MakeQuery(const Symbols& symbols, const Clause& goal,
                                             const std::function<Assumed(int32_t id)>& assumed);

// In the order in which they are asserted.
[[nodiscard]] std::vector<Fact> FactsOf(const Query& query);

// "n <= 8", "a = 4*n": `names` by symbol id.
[[nodiscard]] std::string ToText(const Fact& fact, const Symbols& symbols,
                                 std::span<const std::string> names);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_QUERY_H_
