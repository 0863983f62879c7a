// A plan for what an unsafe program means: names of one storage that stand for different contents
// are copied apart, every storage gets bytes of its own, and the whole is packed. Whether the
// result is right, a certificate has to show.
#ifndef PTEPROOF_PLANNER_REPAIR_REPAIR_H_
#define PTEPROOF_PLANNER_REPAIR_REPAIR_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/repair/separate.h"
#include "planner/replan/move_places.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// What the meaning of a method rests on, as the file does not say it: counts of values.
struct Conventions {
  int64_t views = 0;  // names that no instruction makes
  int64_t concatenations = 0;
  int64_t slices = 0;
  int64_t unnamed_buffers = 0;
};

struct RepairedMethod {
  Conventions conventions;  // of the old method
  std::vector<AddedCopy> copies;
  std::vector<int32_t> instructions;  // per old instruction, and the end: where it is now
  std::vector<int32_t> values;        // per old value: its number now
};

struct Repaired {
  Replanned replanned;                  // banks may be larger than before
  std::vector<RepairedMethod> methods;  // by method
  std::string failure;                  // why there is none; empty: there is one
};

// The manifest with the values that a repair has given other numbers.
[[nodiscard]] Manifest WithNewNumbers(Manifest manifest, const Program& program,
                                      const Repaired& repaired);

// `operators`: those that the runtime has besides the program's own. `move_state`: buffers move,
// whether they have to or not. Values may come into a bank that only the options name; none is
// larger than its size there.
[[nodiscard]] Repaired Repair(const Program& program, const ReplanOptions& options,
                              std::span<const Operator> operators, bool move_state = false);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPAIR_REPAIR_H_
