// The plan of a random Module, damaged, and judged by all checkers.
#ifndef PTEPROOF_PROPERTIES_AGREEMENT_JUDGE_MUTANT_H_
#define PTEPROOF_PROPERTIES_AGREEMENT_JUDGE_MUTANT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/agreement/judge_all_checkers.h"
#include "properties/mutants/mutate_plan.h"

namespace pteproof {

struct JudgedMutant {
  mutants::Damage damage = mutants::Damage::kMovePlace;
  std::string what;  // was done, and to which method
  Policy policy = Policy::kShareAll;
  CheckersVerdict checkers;
  std::vector<std::byte> file;  // the damaged program, where the checkers disagree
};

// The seed draws the Module, its plan and the damage. Nothing if there is no plan or nothing in it
// to damage. Without a proof only the other checkers are asked.
[[nodiscard]] std::optional<JudgedMutant> JudgeMutant(uint64_t seed, bool proof);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_AGREEMENT_JUDGE_MUTANT_H_
