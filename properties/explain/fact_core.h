// The smallest set of facts that a goal cannot hold with.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_FACT_CORE_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_FACT_CORE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/proofs/terms/question.h"

namespace pteproof::explain {

// Integers that the facts and the goal are about are symbols from 0 on.
struct FactQuestion {
  int32_t symbols = 0;
  std::vector<proofs::Comparison> always;              // all hold
  std::vector<std::vector<proofs::Comparison>> facts;  // all comparisons of a fact hold
  proofs::Clause goal;                                 // at least one holds
};

struct FactCore {
  std::vector<size_t> kept;  // indices of facts, ascending
  std::string why_not;       // "not told, as ..."; empty: there is one
};

// Facts with which the goal cannot hold, and with any one of them less it can. Of several such sets
// the one that has later facts rather than earlier ones. The solver is asked once a fact; of many
// facts, once a fact that its first answer names.
[[nodiscard]] FactCore SmallestCore(const FactQuestion& question);

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_FACT_CORE_H_
