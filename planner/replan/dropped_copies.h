// Calls that only copy bytes, dropped: their result is a name of what they copied from then on.
#ifndef PTEPROOF_PLANNER_REPLAN_DROPPED_COPIES_H_
#define PTEPROOF_PLANNER_REPLAN_DROPPED_COPIES_H_

#include <cstdint>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct DroppedCopies {
  Program program;                            // spread out as the old one, and as right
  std::vector<std::vector<int32_t>> dropped;  // by method: instructions of the old one
  // Per method and instruction of the old program, its number in the new one, -1 for one that is
  // gone; empty for a method that keeps all.
  std::vector<std::vector<int32_t>> now_at;
  int64_t lifts = 0;  // of methods: most of the work

  [[nodiscard]] bool changes() const;
};

// Whether a method has a call that may be one of these. O(instructions).
[[nodiscard]] bool MayDropCopies(const Program& program);

// Copies, views by copy, slices and splits along the outermost dimension lie in their operand, and
// parts of such a concatenation in the whole. `program`: spread out, as values would meet others
// otherwise.
[[nodiscard]] DroppedCopies DropCopies(const Program& program, const Manifest* manifest);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_DROPPED_COPIES_H_
