// The exact search for plain items: whether they fit a capacity. Depth first over what lies lowest
// in one section of time after the other, with a jump back over decisions that a failure does not
// depend on.
#ifndef PTEPROOF_PLANNER_PLACEMENT_NICHE_SEARCH_H_
#define PTEPROOF_PLANNER_PLACEMENT_NICHE_SEARCH_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "planner/placement/budget.h"
#include "planner/placement/problem.h"
#include "planner/placement/section_set.h"

namespace pteproof::placement {

// Each item lives once, none is fixed, and alignments do no more than to round sizes up.
[[nodiscard]] bool IsPlain(const Problem& problem);

class NicheSearch {
 public:
  enum class End : uint8_t {
    kFound,  // offsets() is a layout that ends at the capacity or below
    kNone,   // there is none
    kSpent,  // unknown: the budget was spent; Go() goes on
  };
  // Which niche is filled first, after those that leave no choice.
  enum class Rule : uint8_t {
    kLowest,    // the lowest one
    kTightest,  // the one whose section has the fewest bytes to spare
  };
  // Which item is tried first in a niche.
  enum class Order : uint8_t { kDuration, kArea, kSize };

  static constexpr int32_t kWeight = 1024;

  struct Way {
    Rule rule = Rule::kLowest;
    Order order = Order::kDuration;
    int32_t noise = 0;  // weights in the order differ by up to this many in kWeight
    uint64_t seed = 0;
  };

  // `problem` is plain, and must outlive it.
  explicit NicheSearch(const Problem& problem);

  // A new search.
  void Start(int64_t capacity, const Way& way);
  // Goes on with the search that was started last, until it ends or the budget is spent.
  [[nodiscard]] End Go(Budget& budget);
  [[nodiscard]] const std::vector<int64_t>& offsets() const { return offset_; }

 private:
  static constexpr int64_t kUnplaced = -1;
  static constexpr int64_t kFar = std::numeric_limits<int64_t>::max();
  static constexpr int32_t kNothing = -1;  // no item

  // Sections [first, last] of one floor between higher ones. One of its ends is to be filled.
  struct Niche {
    int32_t first = 0;
    int32_t last = 0;
    bool from_left = true;
    int64_t level = 0;
    int64_t above = kFar;  // if nothing lies at the level: all of the section lies here or above
    int32_t choices = 0;   // 0: a dead end

    [[nodiscard]] int32_t section() const { return from_left ? first : last; }
  };
  // A niche that was decided: an item at its level, or nothing.
  struct Decision {
    Niche niche;
    size_t next = 0;          // of the items that may fill it
    int32_t item = kNothing;  // the one that does
    bool left_empty = false;
    SectionSet because;  // of the choices that failed: see niche_search.cc
  };

  void Reset();
  void SetOrder(const Way& way);
  [[nodiscard]] bool StartsPossible() const;

  [[nodiscard]] std::optional<Niche> Pick();
  [[nodiscard]] Niche Look(int32_t first, int32_t last, bool from_left);
  [[nodiscard]] int64_t SmallestBeside(const Niche& niche);
  [[nodiscard]] bool IsNiche(int32_t first, int32_t last) const;
  // Unplaced, and nothing keeps it above the niche's level.
  [[nodiscard]] bool IsInside(int32_t item, const Niche& niche) const;
  [[nodiscard]] bool IsChoice(int32_t item, const Niche& niche) const;
  [[nodiscard]] const std::vector<int32_t>& ItemsFor(const Niche& niche) const;

  void Push(const Niche& niche);
  [[nodiscard]] bool Advance();
  [[nodiscard]] bool Return();
  [[nodiscard]] bool Put(int32_t item, int64_t level, SectionSet& because);
  void Take(int32_t item, int64_t level);
  // Whether what is unplaced in the section can end at the capacity with nothing below `floor`.
  [[nodiscard]] bool HasRoom(int32_t section, int64_t floor) const;
  void Spend(size_t steps) { budget_->Spend(static_cast<int64_t>(steps)); }

  const Problem& problem_;
  // Per item.
  std::vector<int64_t> rounded_;  // its size, up to the alignment
  std::vector<int32_t> first_;    // section in which it begins to live
  std::vector<int32_t> last_;
  std::vector<int32_t> twin_;  // one alike that is tried before it; kNothing: none
  std::vector<int64_t> offset_;
  // Per section.
  std::vector<std::vector<int32_t>> begin_;  // items that begin in it, in the order of the way
  std::vector<std::vector<int32_t>> end_;    // items that end in it, likewise
  std::vector<int64_t> floor_;               // no unplaced item of it lies below
  std::vector<int64_t> unplaced_bytes_;
  std::vector<int32_t> across_;  // unplaced items that live in this one and in the next
  int64_t smallest_ = kFar;      // rounded
  int64_t most_padding_ = 0;

  int64_t capacity_ = 0;
  Rule rule_ = Rule::kLowest;
  Budget* budget_ = nullptr;
  std::optional<End> end_of_search_;
  std::vector<Decision> decisions_;  // the first depth_ ones hold
  size_t depth_ = 0;
  SectionSet because_;  // of the failure that is handled
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_NICHE_SEARCH_H_
