// The result of one proof about the planner's own code: data only.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLANNER_PROOF_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLANNER_PROOF_H_

#include <cstdint>
#include <string>

#include "properties/proofs/terms/question.h"

namespace pteproof::proofs {

struct PlannerProof {
  std::string name;  // "first-fit, 4 storages, one alignment for all, all 11 overlap graphs"
  std::string what;  // the properties: "disjoint, contained, aligned"
  Answer expected = Answer::kProved;  // kRefuted for what is known to be wrong
  // kProved: for all numbers within the name's bounds. kRefuted: `counterexample` was replayed in
  // 64-bit integers. kUnknown: else.
  Answer answer = Answer::kUnknown;
  bool cut = false;  // it did not come to its end, `why` says for what reason
  std::string why;
  int64_t paths = 0;    // ways through the code, or cases where all are counted
  int64_t queries = 0;  // to the solver
  double seconds = 0;
  std::string counterexample;  // refuted: the numbers and what is wrong with them
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLANNER_PROOF_H_
