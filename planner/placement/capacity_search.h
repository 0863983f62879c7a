// The exact search: whether items fit a capacity. Depth first over layouts in which every item lies
// on something, built from the lowest offset up (M. D. Moffitt, "MiniMalloc: A Lightweight Memory
// Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023).
#ifndef PTEPROOF_PLANNER_PLACEMENT_CAPACITY_SEARCH_H_
#define PTEPROOF_PLANNER_PLACEMENT_CAPACITY_SEARCH_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "planner/placement/budget.h"
#include "planner/placement/failed_states.h"
#include "planner/placement/problem.h"

namespace pteproof::placement {

// What is tried first among items that could lie equally low.
enum class Preorder : uint8_t {
  kDuration,      // longest, then largest area
  kLoadArea,      // of the fullest sections, then largest area
  kLoadDuration,  // of the fullest sections, then longest
};

class CapacitySearch {
 public:
  enum class End : uint8_t {
    kFound,  // offsets() is a layout that ends at the capacity or below
    kNone,   // there is none
    kSpent,  // unknown: the steps or the budget were spent
  };

  explicit CapacitySearch(const Problem& problem);

  static constexpr int32_t kWeight = 1024;

  // A way to go: what is tried first, give or take some noise.
  struct Way {
    Preorder preorder = Preorder::kDuration;
    int32_t noise = 0;  // weights differ by up to this many in kWeight
    uint64_t seed = 0;
  };

  [[nodiscard]] End Run(int64_t capacity, const Way& way, int64_t steps, Budget& budget);
  [[nodiscard]] const std::vector<int64_t>& offsets() const { return offset_; }
  // About what it takes to place all items once, and some more.
  [[nodiscard]] int64_t StepsOfOneTry() const;

 private:
  static constexpr int64_t kUnplaced = -1;
  static constexpr int64_t kFar = std::numeric_limits<int64_t>::max();

  // An item that may be placed next, with its place in the preorder.
  struct Candidate {
    int64_t offset = 0;
    int32_t rank = 0;
    int32_t item = 0;
  };
  // What to set back when a branch fails.
  struct Change {
    enum class What : uint8_t { kLowest, kFloor, kPlaced };
    What what = What::kLowest;
    int32_t index = 0;
    int64_t old = 0;
  };
  // Sections [first, last) and the unplaced items in them, in preorder; the next one placed comes
  // after `bar`, by offset and rank.
  struct Part {
    int32_t first = 0;
    int32_t last = 0;
    Candidate bar;
    std::vector<Candidate> items;
  };

  void Reset();
  void SetWeights(const Way& way);
  [[nodiscard]] Part PartOf(std::span<const Candidate> items, int32_t first, int32_t last,
                            int64_t at_least) const;
  [[nodiscard]] End Search(Part& part);
  [[nodiscard]] End SearchWithout(const Part& part, const Candidate& placed);
  [[nodiscard]] std::vector<Candidate> Candidates(Part& part) const;
  [[nodiscard]] OpenState StateOf(const Part& part) const;
  // False: the item cannot lie there, or something else would have no room then. `met_any`: it
  // shares time with something unplaced.
  [[nodiscard]] bool Put(const Part& part, const Candidate& candidate, bool& met_any);
  [[nodiscard]] bool MeetsUnplaced(int32_t item) const;
  [[nodiscard]] bool RaiseConflicts(int32_t item);
  [[nodiscard]] bool RaiseFloors();
  [[nodiscard]] bool HasRoomFrom(const Part& part, int64_t offset);
  void TouchSectionsOf(int32_t item, int64_t lowest);
  void UndoTo(size_t mark);
  void Spend(size_t steps);

  const Problem& problem_;
  int64_t capacity_ = 0;
  int64_t rounded_capacity_ = 0;  // up to the smallest alignment
  Preorder preorder_ = Preorder::kDuration;
  int64_t steps_ = 0;
  Budget* budget_ = nullptr;

  // Per item.
  std::vector<int64_t> size_;
  std::vector<int64_t> alignment_;
  std::vector<int64_t> rounded_;  // its size, up to the smallest alignment
  std::vector<double> weight_;    // in the preorder: about 1
  std::vector<int32_t> twin_;     // one alike that stands before it; -1: none
  std::vector<int64_t> offset_;
  std::vector<int64_t> lowest_;   // where it can lie at the lowest
  std::vector<int64_t> highest_;  // where it can lie at the highest
  // Per section.
  std::vector<int64_t> floor_;  // no unplaced item of it can lie below
  std::vector<int64_t> unplaced_bytes_;
  std::vector<int32_t> across_;  // unplaced items that live in this one and in the next
  std::vector<uint32_t> touched_at_;

  FailedStates failed_;  // of this run
  std::vector<Change> changes_;
  std::vector<int32_t> touched_;  // sections whose items moved in this step
  uint32_t step_ = 0;
  bool has_fixed_ = false;
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_CAPACITY_SEARCH_H_
