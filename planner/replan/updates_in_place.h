// Buffers that are updated where they lie, instead of in a copy that is then stored.
#ifndef PTEPROOF_PLANNER_REPLAN_UPDATES_IN_PLACE_H_
#define PTEPROOF_PLANNER_REPLAN_UPDATES_IN_PLACE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/lift/webs.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// Instructions of the old method.
struct UpdateInPlace {
  int32_t update = 0;  // now calls the form that works in place
  int32_t store = 0;   // is gone

  bool operator==(const UpdateInPlace&) const = default;
};

struct UpdatedInPlace {
  Program program;  // its plan is that of the old one, and is as right
  std::vector<std::vector<UpdateInPlace>> updates;  // by method
  // Per method and instruction of the old program, its number in the new one, -1 for one that is
  // gone; empty for a method without updates.
  std::vector<std::vector<int32_t>> now_at;

  [[nodiscard]] bool changes() const;
};

struct UpdateOptions {
  std::span<const Operator> operators = {};  // that the runtime has besides the program's own
  const Manifest* manifest = nullptr;        // of the program; null: there is none
};

// `webs`: of the program.
[[nodiscard]] UpdatedInPlace UpdateInPlaces(const Program& program,
                                            std::span<const MethodWebs> webs,
                                            const UpdateOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_UPDATES_IN_PLACE_H_
