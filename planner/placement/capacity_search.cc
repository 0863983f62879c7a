// Idea. In a layout without slack every item lies on the bottom or on another item. The search
// builds such layouts from the lowest offset up. Time is cut into sections (problem.h); an item
// occupies consecutive sections.
//
//   offset
//     48 |         +---------+     A and C are placed: C lies on A and cannot move down.
//        |         |    C    |     D lives in s2 only and fits below C as a whole. So C is not
//     32 +---------+---+-----+     tried while D is open: D goes first, since a layout with D
//        |      A      | (D) |     above C is no better.
//      0 +-------------+-----+
//           s0     s1     s2   time
//
// A step places one candidate: the unplaced items, each at its lowest offset, in ascending order of
// (offset, rank); the rank is the place in the preorder. The order makes each layout appear once.
// Placing an item raises the lowest offsets of its conflicts and the floors of its sections. A
// branch fails if an item has no offset left, or if a floor and the unplaced bytes of a section
// exceed the capacity. If no unplaced item crosses a border of sections, both sides are searched on
// their own.
//
// Invariants, in every node of the search:
//   - placed items ascend in (offset, rank);
//   - lowest_[i] is at least the end of every placed item that shares a section with item i;
//   - no layout that extends this one has an unplaced item of section s below floor_[s];
//   - unplaced_bytes_[s] and across_[s] count the unplaced items of s and of its right border;
//   - changes_ holds what UndoTo needs to return to any earlier node.
//
// Cost. Exponential at worst, and cut off by `steps` and the budget. A node costs O(items of the
// part x log + conflicts of the placed item + items of the sections that it touches). Memory is
// linear in items, sections and conflicts, besides at most FailedStates::kMostStates failed nodes.
#include "planner/placement/capacity_search.h"

#include <algorithm>
#include <tuple>

#include "planner/placement/arithmetic.h"
#include "planner/placement/orders.h"
#include "planner/placement/random.h"

namespace pteproof::placement {
CapacitySearch::CapacitySearch(const Problem& problem) : problem_(problem) {
  const auto items = static_cast<size_t>(problem.count());
  const auto sections = static_cast<size_t>(problem.section_count);
  twin_.assign(items, -1);
  for (size_t i = 0; i < items; ++i) {
    const Item<int64_t>& item = problem.items[i];
    size_.push_back(item.size);
    alignment_.push_back(item.alignment);
    rounded_.push_back(AlignUp(item.size, problem.alignment));
    has_fixed_ = has_fixed_ || item.fixed;
    if (i > 0 && !GoesBefore(problem.items[i - 1], item)) twin_[i] = static_cast<int32_t>(i) - 1;
  }
  weight_.resize(items);
  offset_.resize(items);
  lowest_.resize(items);
  highest_.resize(items);
  floor_.resize(sections);
  unplaced_bytes_.resize(sections);
  across_.resize(sections);
  touched_at_.resize(sections);
}

void CapacitySearch::Reset() {
  std::ranges::fill(offset_, kUnplaced);
  std::ranges::fill(floor_, 0);
  std::ranges::fill(unplaced_bytes_, 0);
  std::ranges::fill(across_, 0);
  changes_.clear();
  for (int32_t i = 0; i < problem_.count(); ++i) {
    const auto& fixed = At(problem_.items, i).fixed;
    At(lowest_, i) = fixed.value_or(0);
    At(highest_, i) = std::min(capacity_ - At(size_, i), fixed.value_or(capacity_));
    const auto sections = problem_.sections_of[i];
    for (const int32_t s : sections) At(unplaced_bytes_, s) += At(rounded_, i);
    for (int32_t s = sections.front(); s < sections.back(); ++s) ++At(across_, s);
  }
}

// In whole numbers, and so the same on every machine.
void CapacitySearch::SetWeights(const Way& way) {
  Random random(way.seed);
  for (double& weight : weight_) {
    const auto drawn = static_cast<int32_t>(random.Next() % static_cast<uint64_t>(way.noise + 1));
    weight = kWeight + drawn - way.noise / 2;
  }
}

CapacitySearch::End CapacitySearch::Run(int64_t capacity, const Way& way, int64_t steps,
                                        Budget& budget) {
  capacity_ = capacity;
  rounded_capacity_ = AlignUp(capacity, problem_.alignment);
  preorder_ = way.preorder;
  steps_ = steps;
  budget_ = &budget;
  Reset();
  failed_.Clear();
  SetWeights(way);
  std::vector<Candidate> all;
  for (int32_t i = 0; i < problem_.count(); ++i) {
    if (At(lowest_, i) > At(highest_, i)) return End::kNone;
    all.push_back({0, 0, i});
  }
  Part whole = PartOf(all, 0, problem_.section_count, 0);
  if (!HasRoomFrom(whole, 0)) return End::kNone;
  return Search(whole);
}

int64_t CapacitySearch::StepsOfOneTry() const {
  constexpr size_t kStepsPerConflict = 60;  // measured: 25 to 45
  constexpr size_t kFewest = 20'000;
  return static_cast<int64_t>(kFewest + kStepsPerConflict * problem_.conflicts.size());
}

// Sorts items by the preorder: where time is scarce, or for long, is decided first.
CapacitySearch::Part CapacitySearch::PartOf(std::span<const Candidate> items, int32_t first,
                                            int32_t last, int64_t at_least) const {
  struct Keyed {
    double keys[3];
    int32_t item;
    auto operator<=>(const Keyed&) const = default;
  };
  std::vector<Keyed> keyed;
  for (const Candidate& candidate : items) {
    const int32_t i = candidate.item;
    const auto sections = problem_.sections_of[i];
    if (sections.front() < first || sections.back() >= last) continue;
    int64_t most = 0;
    for (const int32_t s : sections) most = std::max(most, At(unplaced_bytes_, s));
    const Item<int64_t>& item = At(problem_.items, i);
    const auto load = -static_cast<double>(most);
    const double duration = -DurationOf(item) * At(weight_, i);
    const double area = duration * static_cast<double>(item.size);
    switch (preorder_) {
      case Preorder::kDuration:
        keyed.push_back({{duration, area, load}, i});
        break;
      case Preorder::kLoadArea:
        keyed.push_back({{load, area, duration}, i});
        break;
      case Preorder::kLoadDuration:
        keyed.push_back({{load, duration, area}, i});
        break;
    }
  }
  std::ranges::sort(keyed, [](const Keyed& a, const Keyed& b) {
    return std::tie(a.keys[0], a.keys[1], a.keys[2], a.item) <
           std::tie(b.keys[0], b.keys[1], b.keys[2], b.item);
  });
  Part part{first, last, {at_least, -1, -1}, {}};
  part.items.reserve(keyed.size());
  for (size_t k = 0; k < keyed.size(); ++k) {
    part.items.push_back({0, static_cast<int32_t>(k), keyed[k].item});
  }
  return part;
}

// Those that may be placed next, the best first. One that would lie above a gap in which another
// fits whole is none: that one could lie there.
std::vector<CapacitySearch::Candidate> CapacitySearch::Candidates(Part& part) const {
  int64_t lowest_top = kFar;
  for (Candidate& c : part.items) {
    c.offset = At(lowest_, c.item);
    if (!has_fixed_) lowest_top = std::min(lowest_top, c.offset + At(size_, c.item));
  }
  std::vector<Candidate> candidates;
  for (const Candidate& c : part.items) {
    if (c.offset >= lowest_top) continue;
    if (std::tie(c.offset, c.rank) <= std::tie(part.bar.offset, part.bar.rank)) continue;
    const int32_t twin = At(twin_, c.item);
    if (twin < 0 || At(offset_, twin) != kUnplaced) candidates.push_back(c);
  }
  std::ranges::sort(candidates, {}, [](const Candidate& c) { return std::tie(c.offset, c.rank); });
  return candidates;
}

CapacitySearch::End CapacitySearch::Search(Part& part) {
  if (part.items.empty()) return End::kFound;
  if (steps_ <= 0) return End::kSpent;
  Spend(part.items.size());
  const std::vector<Candidate> candidates = Candidates(part);
  const bool remember = part.items.size() <= FailedStates::kMostItems;
  OpenState state;
  if (remember) {
    state = StateOf(part);
    if (failed_.Holds(state)) return End::kNone;
  }
  for (const Candidate& candidate : candidates) {
    const size_t mark = changes_.size();
    bool met_any = false;
    if (Put(part, candidate, met_any)) {
      const End end = SearchWithout(part, candidate);
      if (end != End::kNone) return end;
    }
    UndoTo(mark);
    // What meets nothing unplaced is not what failed.
    if (!met_any) break;
  }
  if (remember) failed_.Keep(std::move(state));
  return End::kNone;
}

OpenState CapacitySearch::StateOf(const Part& part) const {
  OpenState state;
  const auto before = [&](const Candidate& c) { return c.rank <= part.bar.rank; };
  const auto place = std::ranges::count_if(part.items, before);
  state.bar = {part.bar.offset, static_cast<int32_t>(place)};
  state.items.reserve(part.items.size());
  state.lowest.reserve(part.items.size());
  for (const Candidate& c : part.items) {
    state.items.push_back(c.item);
    state.lowest.push_back(c.offset);
  }
  return state;
}

// What is left of a part falls into parts where nothing unplaced lives across a border of sections.
CapacitySearch::End CapacitySearch::SearchWithout(const Part& part, const Candidate& placed) {
  Part rest{part.first, part.last, placed, {}};
  rest.items.reserve(part.items.size());
  for (const Candidate& c : part.items) {
    if (c.item != placed.item) rest.items.push_back(c);
  }
  std::vector<int32_t> borders = {part.first};
  const auto sections = problem_.sections_of[placed.item];
  for (int32_t s = sections.front(); s < sections.back(); ++s) {
    if (At(across_, s) == 0) borders.push_back(s + 1);
  }
  if (borders.size() == 1) return Search(rest);
  borders.push_back(part.last);
  for (size_t b = 1; b < borders.size(); ++b) {
    Part piece = PartOf(rest.items, borders[b - 1], borders[b], placed.offset);
    const End end = Search(piece);
    if (end != End::kFound) return end;
  }
  return End::kFound;
}

bool CapacitySearch::Put(const Part& part, const Candidate& candidate, bool& met_any) {
  const int32_t item = candidate.item;
  const auto sections = problem_.sections_of[item];
  At(offset_, item) = candidate.offset;
  changes_.push_back({Change::What::kPlaced, item, 0});
  ++step_;
  touched_.clear();
  const int64_t rounded_top = candidate.offset + At(rounded_, item);
  for (const int32_t s : sections) {
    changes_.push_back({Change::What::kFloor, s, At(floor_, s)});
    At(floor_, s) = rounded_top;
    At(unplaced_bytes_, s) -= At(rounded_, item);
  }
  for (int32_t s = sections.front(); s < sections.back(); ++s) --At(across_, s);
  TouchSectionsOf(item, kUnplaced);
  met_any = MeetsUnplaced(item);
  return HasRoomFrom(part, candidate.offset) && RaiseConflicts(item) && RaiseFloors();
}

bool CapacitySearch::MeetsUnplaced(int32_t item) const {
  return std::ranges::any_of(problem_.sections_of[item],
                             [&](int32_t s) { return At(unplaced_bytes_, s) > 0; });
}

// Nothing unplaced that shares time with a placed item lies below its end.
bool CapacitySearch::RaiseConflicts(int32_t item) {
  Spend(problem_.conflicts[item].size());
  const int64_t top = At(offset_, item) + At(size_, item);
  for (const int32_t other : problem_.conflicts[item]) {
    const int64_t before = At(lowest_, other);
    if (before >= top || At(offset_, other) != kUnplaced) continue;
    const int64_t lowest = AlignUp(top, At(alignment_, other));
    changes_.push_back({Change::What::kLowest, other, before});
    At(lowest_, other) = lowest;
    if (lowest > At(highest_, other)) return false;
    TouchSectionsOf(other, before);
  }
  return true;
}

// No unplaced item of a section lies below the lowest that one of them can. Together they reach at
// least as high as they would without gaps, with the one on top that wastes most.
bool CapacitySearch::RaiseFloors() {
  for (const int32_t s : touched_) {
    if (At(unplaced_bytes_, s) == 0) continue;
    int64_t lowest = kFar;
    int64_t padding = 0;
    Spend(problem_.items_of[s].size());
    for (const int32_t i : problem_.items_of[s]) {
      if (At(offset_, i) != kUnplaced) continue;
      lowest = std::min(lowest, At(lowest_, i));
      padding = std::max(padding, At(rounded_, i) - At(size_, i));
    }
    if (At(floor_, s) < lowest) {
      changes_.push_back({Change::What::kFloor, s, At(floor_, s)});
      At(floor_, s) = lowest;
    }
    if (At(floor_, s) + At(unplaced_bytes_, s) - padding > capacity_) return false;
  }
  return true;
}

// Everything unplaced lies at `offset` or above.
bool CapacitySearch::HasRoomFrom(const Part& part, int64_t offset) {
  Spend(static_cast<size_t>(part.last - part.first) / 4);
  for (int32_t s = part.first; s < part.last; ++s) {
    const int64_t bytes = At(unplaced_bytes_, s);
    if (bytes > 0 && std::max(At(floor_, s), offset) + bytes > rounded_capacity_) return false;
  }
  return true;
}

// Only an item that could lie on the floor held the floor down.
void CapacitySearch::TouchSectionsOf(int32_t item, int64_t lowest) {
  for (const int32_t s : problem_.sections_of[item]) {
    if (At(touched_at_, s) == step_ || At(floor_, s) < lowest) continue;
    At(touched_at_, s) = step_;
    touched_.push_back(s);
  }
}

void CapacitySearch::UndoTo(size_t mark) {
  for (; changes_.size() > mark; changes_.pop_back()) {
    const Change& change = changes_.back();
    switch (change.what) {
      case Change::What::kLowest:
        At(lowest_, change.index) = change.old;
        break;
      case Change::What::kFloor:
        At(floor_, change.index) = change.old;
        break;
      case Change::What::kPlaced: {
        const auto sections = problem_.sections_of[change.index];
        for (const int32_t s : sections) At(unplaced_bytes_, s) += At(rounded_, change.index);
        for (int32_t s = sections.front(); s < sections.back(); ++s) ++At(across_, s);
        At(offset_, change.index) = kUnplaced;
        break;
      }
    }
  }
}

void CapacitySearch::Spend(size_t steps) {
  steps_ -= static_cast<int64_t>(steps);
  if (!budget_->Spend(static_cast<int64_t>(steps))) steps_ = 0;
}

}  // namespace pteproof::placement
