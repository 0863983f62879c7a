// Lower layouts of plain items, and the proof that there is none: several exact searches side by
// side.
#ifndef PTEPROOF_PLANNER_PLACEMENT_NICHE_LANES_H_
#define PTEPROOF_PLANNER_PLACEMENT_NICHE_LANES_H_

#include <array>
#include <cstdint>
#include <memory>

#include "planner/placement/bounds.h"
#include "planner/placement/budget.h"
#include "planner/placement/niche_search.h"
#include "planner/placement/problem.h"

namespace pteproof::placement {

// One of the searches that run side by side.
struct Lane {
  std::unique_ptr<NicheSearch> search;
  int64_t capacity = -1;  // of the search that runs; -1: none does
  int64_t left = 0;       // steps until it is given up
  int64_t turns = 0;      // searches that were started
  Bounds bounds;          // of this lane, at the end of a round
  int64_t spent = 0;      // steps in this round
};

class NicheLanes {
 public:
  // `problem` is plain, and must outlive it.
  explicit NicheLanes(const Problem& problem);

  // Goes on with all searches for a while, on so many threads, and moves the bounds towards each
  // other. No layout need end below `goal`, which is the lower bound or more.
  void Round(int64_t goal, Bounds& bounds, Budget& budget, size_t threads);

 private:
  static constexpr size_t kLanes = 6;

  void Run(size_t index, int64_t goal, const Bounds& bounds, Budget slice);
  bool Restart(size_t index, int64_t goal);

  const Problem& problem_;
  int64_t granule_ = 1;  // the lowest peak is a multiple of it
  int64_t spent_ = 0;    // steps so far
  std::array<Lane, kLanes> lanes_;
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_NICHE_LANES_H_
