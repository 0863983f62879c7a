// Stores to buffers, as soon as they may come.
#ifndef PTEPROOF_PLANNER_REPLAN_EARLY_STORES_H_
#define PTEPROOF_PLANNER_REPLAN_EARLY_STORES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/lift/webs.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct EarlyStores {
  Program program;  // its plan is that of the old one, and is as right
  // Per method and instruction of the old program, its number in the new one; empty for a method in
  // which no store moves.
  std::vector<std::vector<int32_t>> now_at;

  [[nodiscard]] bool moves() const;
};

// Copies into state alone, and each only within the straight code in which it lies.
[[nodiscard]] EarlyStores StoreEarly(const Program& program, std::span<const MethodWebs> webs);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_EARLY_STORES_H_
