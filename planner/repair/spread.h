// A program in which every storage has bytes of its own, as it is meant: nothing shares bytes by
// accident, and every buffer has one place in all methods. A plan to be packed, not to be written.
#ifndef PTEPROOF_PLANNER_REPAIR_SPREAD_H_
#define PTEPROOF_PLANNER_REPAIR_SPREAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "meaning/program_meaning.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct Spread {
  Program program;                                  // shares the bytes of the old one
  std::string failure;                              // why there is none; empty: there is one
  std::vector<std::vector<int32_t>> nameless = {};  // per method: state that has no name
};

// Buffers keep their places if nothing else is ever planned there and not `move_state`; the buffers
// of a bank in which that is not so lie from its start, by name. Names of one storage
// (lift/derived_names.h) keep their distances, and banks their unused bytes at the end. `meant`: of
// the program, perhaps recovered while values had other places. O(n log n) in the values of all
// methods.
[[nodiscard]] Spread SpreadOut(const Program& program, const meaning::ProgramMeaning& meant,
                               bool move_state = false);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPAIR_SPREAD_H_
