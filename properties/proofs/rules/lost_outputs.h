// Outputs that are a buffer's or an input's own storage, with the store that has replaced it.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_LOST_OUTPUTS_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_LOST_OUTPUTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/proofs/facts/method_facts.h"

namespace pteproof::proofs {

struct ReturnedStorage {
  size_t output = 0;
  int32_t value = 0;
  int32_t store = -1;  // the last instruction that replaces all of it; -1: none
};

// Each once; the outputs as which mutated inputs come back are left out.
[[nodiscard]] std::vector<ReturnedStorage> ReturnedStorages(const MethodFacts& facts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_LOST_OUTPUTS_H_
