// Values that go to another bank, before a new plan.
#ifndef PTEPROOF_PLANNER_REPLAN_CHANGE_BANK_H_
#define PTEPROOF_PLANNER_REPLAN_CHANGE_BANK_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/lift/webs.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// Memory ids, from 1 on.
struct BankChange {
  uint32_t from = 0;
  uint32_t to = 0;
};

// Puts values of a method behind all that the other bank has; `moves`: by value, each of which is a
// tensor planned in `from`. Both banks go on as far behind their last value as `from` did.
void MoveToBank(const BankChange& change, const std::vector<bool>& moves, Method& method);

struct ChangedBanks {
  Program program;      // a plan to be packed: what moved lies behind what was there
  std::string failure;  // why it cannot be done; empty: it is done
};

// In all methods, the webs of a bank that do not stay where they are: state stays, and so do, with
// `keep_outputs`, outputs that the caller may read after later calls (fixed_bytes.h). Both banks
// are of the CPU. `webs`: of the program. O(n log n) in the values of all methods.
[[nodiscard]] ChangedBanks ChangeBank(const Program& program, std::span<const MethodWebs> webs,
                                      const BankChange& change, bool keep_outputs);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_CHANGE_BANK_H_
