// The writes of each method as other methods' state and outputs see them: common to the rules about
// shared banks.
#ifndef PTEPROOF_PROPERTIES_RULES_FOREIGN_WRITES_H_
#define PTEPROOF_PROPERTIES_RULES_FOREIGN_WRITES_H_

#include <cstdint>
#include <map>
#include <vector>

#include "properties/rules/shared_state.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

struct ForeignWrite {
  Place place;
  int32_t method = 0;
  int32_t key = -1;  // the state it stores to, -1: none
  int32_t value = 0;
  int32_t instruction = -1;  // -1: the caller, who sets an input, or the loader
  bool load = false;         // the loader copies an initial value there
  uint32_t initial = 0;      // its number, 0: of a .ptd
};

using BankWrites = PlaceSearch<ForeignWrite>;

// output-invalidated: per method, each output whose bytes a later call of another method writes.
[[nodiscard]] std::vector<Finding> CheckOverwrittenOutputs(
    const ProgramFacts& facts, const std::map<uint32_t, BankWrites>& banks);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_FOREIGN_WRITES_H_
