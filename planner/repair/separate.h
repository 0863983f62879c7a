// Copies where names of one storage stand for different contents: no plan can give both their
// bytes, since one is written while the other is still to be read.
#ifndef PTEPROOF_PLANNER_REPAIR_SEPARATE_H_
#define PTEPROOF_PLANNER_REPAIR_SEPARATE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/repair/state_places.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct AddedCopy {
  int32_t instruction = 0;  // of the new method, as are the values
  int32_t from = 0;
  int32_t to = 0;
  std::string_view op;      // its full name
  std::string_view reason;  // "a view of it is read after it is written"
};

struct Separated {
  Method method;
  std::vector<AddedCopy> copies;
  std::vector<int32_t> instructions;  // per old instruction, and the end: where it is now
  std::vector<int32_t> values;        // per old value: its number now
  std::string failure;                // why it cannot be done; empty: it is done
};

// `operators`: those that a copy may call, by full name, besides the method's own.
[[nodiscard]] Separated SeparateNames(const MeantMethod& meant,
                                      std::span<const Operator> operators);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPAIR_SEPARATE_H_
