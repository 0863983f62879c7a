// From uses of some bytes back to the writes that reach them, over all paths of a listing.
#ifndef PTEPROOF_PLANNER_PASSES_BACKWARD_WALK_H_
#define PTEPROOF_PLANNER_PASSES_BACKWARD_WALK_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/passes/live_set.h"

namespace pteproof::planner {

struct Jump {
  int32_t at = 0;
  int32_t target = 0;   // a step, or the count of steps
  bool always = false;  // never falls through
};

// Steps that run one after the other.
struct Block {
  int32_t first = 0;
  int32_t last = 0;                        // included
  std::vector<int32_t> predecessors = {};  // blocks
};

// Of a listing of `count` steps, ascending. The last block is empty and stands for the exit.
// `jumps` are ascending.
[[nodiscard]] std::vector<Block> BlocksOf(int32_t count, std::span<const Jump> jumps);

// One piece of memory, walked backward from each use to the writes before it.
class BackwardWalk {
 public:
  // `kills`: steps that write all of it, ascending. Both must outlive this. `rounds`: whether jumps
  // back count.
  BackwardWalk(const std::vector<Block>& blocks, const std::vector<int32_t>& kills,
               bool rounds = true)
      : blocks_(blocks), kills_(kills), rounds_(rounds) {}

  // Wanted from before `upper`, a point that lies in step `step` or at its end.
  void Use(int32_t step, int64_t upper);
  void Add(Span span) { spans_.push_back(span); }
  // The points at which it is in use.
  [[nodiscard]] LiveSet Take();

 private:
  void Within(int32_t block, int32_t step, int64_t upper);

  const std::vector<Block>& blocks_;
  const std::vector<int32_t>& kills_;
  bool rounds_;
  std::vector<bool> seen_;  // blocks through whose end it lives
  std::vector<int32_t> to_do_;
  LiveSet spans_;
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_BACKWARD_WALK_H_
