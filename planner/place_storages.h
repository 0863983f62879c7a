// The storages of one method in their banks.
#ifndef PTEPROOF_PLANNER_PLACE_STORAGES_H_
#define PTEPROOF_PLANNER_PLACE_STORAGES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "planner/emit/emit.h"
#include "planner/passes/sharing.h"
#include "planner/plan.h"
#include "planner/state/layout.h"
#include "pteproof/result.h"

namespace pteproof::planner {

struct PlacedStorages {
  std::vector<Place> places;        // by storage
  std::map<int32_t, int64_t> used;  // by memory id: bytes; without what holds state
  std::vector<BankReport> report;   // of the same banks; `method` is left empty
};

// State lies where `state` says for that method; what else has bytes and is wanted at some point
// goes to the options' banks. An error names the values that fit nowhere.
[[nodiscard]] Result<PlacedStorages, std::string> PlaceStorages(const Code& code,
                                                                const Sharing& sharing,
                                                                const PlanOptions& options,
                                                                const StateLayout& state,
                                                                size_t method);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PLACE_STORAGES_H_
