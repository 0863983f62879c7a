// Why an obligation is refuted: the fewest facts of the program with which it cannot hold.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_WHY_REFUTED_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_WHY_REFUTED_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "properties/proofs/facts/program_facts.h"
#include "properties/proofs/prove.h"
#include "pteproof/program.h"

namespace pteproof::explain {

struct Why {
  // Each needed, together enough: where the bytes begin, how many they are, who writes them, who
  // wants them.
  std::vector<std::string> enough;
  size_t facts = 0;     // that are enough: one text may tell two of them
  std::string why_not;  // what is told instead; empty: nothing
};

struct Whys {
  size_t facts = 0;           // of the whole program
  std::map<size_t, Why> why;  // by number of the obligation; refuted ones only
};

// Of an obligation that is refuted; where sizes vary, at the decision's model.
[[nodiscard]] Why WhyRefuted(const proofs::ProgramFacts& facts, const proofs::Symbols& symbols,
                             const proofs::Obligation& obligation,
                             const proofs::Decision& decision);

// Of the first refuted obligations, kMostWhys at most. O(facts + obligations) beside them.
inline constexpr size_t kMostWhys = 200;
[[nodiscard]] Whys WhysOf(const Program& program, const proofs::ObligeOptions& options,
                          const proofs::Proof& proof);

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_WHY_REFUTED_H_
