// Which steps come before which in every order that data allows: a parallel executor keeps no
// other.
#ifndef PTEPROOF_PLANNER_PASSES_DATA_ORDER_H_
#define PTEPROOF_PLANNER_PASSES_DATA_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/code/code.h"
#include "planner/passes/accesses.h"

namespace pteproof::planner {

class DataOrder {
 public:
  DataOrder(const Code& code, const Accesses& accesses);

  // Of two steps in the order of the listing. Steps with a jump, or the target of one, between them
  // keep that order.
  [[nodiscard]] bool IsBefore(int32_t earlier, int32_t later) const;
  // The last step in the listing that need not wait for this one; this one if all later ones must.
  [[nodiscard]] int32_t LastUnordered(int32_t step) const;

 private:
  static size_t Index(int32_t step) { return static_cast<size_t>(step); }

  std::vector<int32_t> first_;             // by step: the first one of its block
  std::vector<int32_t> last_;              // and the last one
  std::vector<std::vector<bool>> before_;  // by step: those of its block that come before it
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_DATA_ORDER_H_
