// Idea. Time is cut into sections (problem.h); a plain item occupies consecutive
// sections. Items are stacked on floors, one floor per section. A niche is a run of sections with
// one floor between higher ones:
//
//   offset
//     48        +-----+            Sections s1 and s2 are a niche of level 16. Left end, s1: either
//               |     |            an item that begins in s1 and ends within the niche lies at 16,
//     32 +---+  |     |            or nothing of s1 does. Then all of s1 lies at 32 or above (what
//        |   |  |     |            lives in s0 too lies on its floor; anything else lies on an item
//     16 |   +--+--+  |            of the niche), and 16 bytes of s1 are lost.
//        |      A  |  |
//      0 +---------+--+
//         s0   s1  s2  s3   time
//
// A step decides one end of one niche. An end with one choice is decided at once, an end with none
// is a dead end; otherwise the way says which niche comes next, the lowest or that with the fewest
// bytes to spare. Bytes are lost only where an end is left empty, so only there a section may run
// out of room. The order of the items in a niche is tried as given; what is left empty comes last.
//
// A failure has a cause: sections such that no layout exists with these floors and these unplaced
// items in them, whatever the others look like. A decision that changes nothing in these sections
// fails likewise with any other choice; the search jumps back over it. Otherwise the causes of all
// choices together, and the sections that tell the choices, are the cause of the decision's own
// failure. So distant stretches of time are not searched again for each other's layouts
// (conflict-directed backjumping: P. Prosser, Hybrid algorithms for the constraint satisfaction
// problem, 1993; the sections of time and their bound: M. D. Moffitt, MiniMalloc, ASPLOS 2023).
//
// Invariants, between two steps:
//   - some lowest layout of what is unplaced lies above all floors, if any layout extends this one;
//   - unplaced_bytes_[s] and across_[s] count the unplaced items of s and of its right border;
//   - floor_[s] + unplaced_bytes_[s], less the largest padding on top, is within the capacity;
//   - the first depth_ decisions, undone from the last one on, lead back to the empty layout.
//
// Cost. Exponential at worst, and cut off by the budget. A step looks at all sections and at the
// items that begin in a niche. Memory: O(items x sections) bits at most, besides the lists.
#include "planner/placement/niche_search.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "planner/placement/arithmetic.h"
#include "planner/placement/orders.h"
#include "planner/placement/random.h"

namespace pteproof::placement {
bool IsPlain(const Problem& problem) {
  int64_t most = 1;
  for (const Item<int64_t>& item : problem.items) most = std::max(most, item.alignment);
  for (int32_t i = 0; i < problem.count(); ++i) {
    const Item<int64_t>& item = At(problem.items, i);
    const auto sections = problem.sections_of[i];
    const bool lives_once =
        sections.back() - sections.front() < static_cast<int32_t>(sections.size());
    if (item.fixed || !lives_once) return false;
    if (problem.alignment < most && item.size % most != 0) return false;
  }
  return true;
}

NicheSearch::NicheSearch(const Problem& problem)
    : problem_(problem), because_(problem.section_count) {
  const auto sections = static_cast<size_t>(problem.section_count);
  for (int32_t i = 0; i < problem.count(); ++i) {
    const Item<int64_t>& item = At(problem.items, i);
    const auto own = problem.sections_of[i];
    rounded_.push_back(AlignUp(item.size, problem.alignment));
    smallest_ = std::min(smallest_, rounded_.back());
    first_.push_back(own.front());
    last_.push_back(own.back());
    most_padding_ = std::max(most_padding_, rounded_.back() - item.size);
  }
  twin_.resize(rounded_.size());
  offset_.resize(rounded_.size());
  begin_.resize(sections);
  end_.resize(sections);
  floor_.resize(sections);
  unplaced_bytes_.resize(sections);
  across_.resize(sections);
}

void NicheSearch::Start(int64_t capacity, const Way& way) {
  capacity_ = capacity;
  rule_ = way.rule;
  depth_ = 0;
  end_of_search_.reset();
  Reset();
  SetOrder(way);
  if (!StartsPossible()) end_of_search_ = End::kNone;
}

void NicheSearch::Reset() {
  std::ranges::fill(offset_, kUnplaced);
  std::ranges::fill(floor_, 0);
  std::ranges::fill(unplaced_bytes_, 0);
  std::ranges::fill(across_, 0);
  for (int32_t i = 0; i < problem_.count(); ++i) Take(i, 0);
}

// By whole weights, and so the same on every machine.
void NicheSearch::SetOrder(const Way& way) {
  Random random(way.seed);
  std::vector<std::array<double, 2>> keys;
  for (const Item<int64_t>& item : problem_.items) {
    const auto drawn = static_cast<int32_t>(random.Next() % static_cast<uint64_t>(way.noise + 1));
    const double weight = kWeight + drawn - way.noise / 2;
    const double duration = DurationOf(item);
    const auto size = static_cast<double>(item.size);
    const double area = duration * size;
    if (way.order == Order::kDuration) keys.push_back({duration * weight, size});
    if (way.order == Order::kArea) keys.push_back({area * weight, size});
    if (way.order == Order::kSize) keys.push_back({size * weight, duration});
  }
  std::vector<int32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int32_t a, int32_t b) {
    return std::tie(At(keys, b), a) < std::tie(At(keys, a), b);
  });
  for (auto& items : begin_) items.clear();
  for (auto& items : end_) items.clear();
  std::ranges::fill(twin_, kNothing);
  const auto alike = [&](int32_t a, int32_t b) {
    return !GoesBefore(At(problem_.items, a), At(problem_.items, b)) &&
           !GoesBefore(At(problem_.items, b), At(problem_.items, a));
  };
  for (const int32_t i : order) {
    const auto sections = problem_.sections_of[i];
    for (const int32_t other : At(begin_, sections.front())) {
      if (alike(i, other)) At(twin_, i) = other;
    }
    At(begin_, sections.front()).push_back(i);
    At(end_, sections.back()).push_back(i);
  }
}

bool NicheSearch::StartsPossible() const {
  for (const Item<int64_t>& item : problem_.items) {
    if (item.size > capacity_) return false;
  }
  for (int32_t s = 0; s < problem_.section_count; ++s) {
    if (!HasRoom(s, 0)) return false;
  }
  return true;
}

NicheSearch::End NicheSearch::Go(Budget& budget) {
  budget_ = &budget;
  while (!end_of_search_) {
    if (budget.left() == 0) return End::kSpent;
    const auto niche = Pick();
    if (!niche) {
      end_of_search_ = End::kFound;
      break;
    }
    Push(*niche);
    if (!Advance() && !Return()) end_of_search_ = End::kNone;
  }
  return *end_of_search_;
}

// The next end of a niche to decide; nothing: all items are placed.
std::optional<NicheSearch::Niche> NicheSearch::Pick() {
  std::optional<Niche> best;
  std::array<int64_t, 3> best_key = {};
  Spend(static_cast<size_t>(problem_.section_count) / 4);
  int32_t last = 0;
  for (int32_t first = 0; first < problem_.section_count; first = last + 1) {
    last = first;
    if (At(unplaced_bytes_, first) == 0) continue;
    while (At(across_, last) > 0 && At(floor_, last + 1) == At(floor_, first)) ++last;
    if (!IsNiche(first, last)) continue;
    for (const bool from_left : {true, false}) {
      const Niche niche = Look(first, last, from_left);
      if (niche.choices == 0) return niche;
      const int32_t s = niche.section();
      const int64_t spare = capacity_ - niche.level - At(unplaced_bytes_, s);
      const std::array<int64_t, 3> key = {
          niche.choices > 1 ? 1 : 0, rule_ == Rule::kLowest ? niche.level : spare, niche.choices};
      if (best && best_key <= key) continue;
      best = niche;
      best_key = key;
    }
  }
  return best;
}

// Nothing unplaced crosses to a lower floor on either side.
bool NicheSearch::IsNiche(int32_t first, int32_t last) const {
  const int64_t level = At(floor_, first);
  return (first == 0 || At(across_, first - 1) == 0 || At(floor_, first - 1) > level) &&
         (At(across_, last) == 0 || At(floor_, last + 1) > level);
}

// The choices at one end of a niche.
NicheSearch::Niche NicheSearch::Look(int32_t first, int32_t last, bool from_left) {
  Niche niche{first, last, from_left, At(floor_, first), kFar, 0};
  if (first > 0 && At(across_, first - 1) > 0) niche.above = At(floor_, first - 1);
  if (At(across_, last) > 0) niche.above = std::min(niche.above, At(floor_, last + 1));
  bool could_lie = false;
  Spend(ItemsFor(niche).size() / 2 + 2);
  for (const int32_t i : ItemsFor(niche)) {
    if (!IsInside(i, niche)) continue;
    could_lie = true;
    if (IsChoice(i, niche)) ++niche.choices;
  }
  // What could lie at the level and does not lies on something that does.
  if (could_lie && HasRoom(niche.section(), niche.level + smallest_)) {
    const int64_t smallest = SmallestBeside(niche);
    if (smallest != kFar) niche.above = std::min(niche.above, niche.level + smallest);
  }
  if (niche.above != kFar && HasRoom(niche.section(), niche.above)) {
    ++niche.choices;
  } else {
    niche.above = kFar;
  }
  return niche;
}

// The smallest size of what may lie at the niche's level, and not at the end that is to be filled;
// rounded, as all offsets are.
int64_t NicheSearch::SmallestBeside(const Niche& niche) {
  int64_t smallest = kFar;
  const int32_t end = niche.section();
  for (int32_t s = niche.first; s <= niche.last; ++s) {
    Spend(At(begin_, s).size() / 4 + 1);
    for (const int32_t i : At(begin_, s)) {
      if (At(rounded_, i) >= smallest || At(offset_, i) != kUnplaced) continue;
      const bool at_end = s <= end && At(last_, i) >= end;
      if (At(last_, i) <= niche.last && !at_end) smallest = At(rounded_, i);
    }
  }
  return smallest;
}

bool NicheSearch::IsInside(int32_t item, const Niche& niche) const {
  return At(offset_, item) == kUnplaced && At(first_, item) >= niche.first &&
         At(last_, item) <= niche.last;
}

// Of items alike the first comes first.
bool NicheSearch::IsChoice(int32_t item, const Niche& niche) const {
  const int32_t twin = At(twin_, item);
  return niche.level + At(problem_.items, item).size <= capacity_ &&
         (twin == kNothing || At(offset_, twin) != kUnplaced);
}

const std::vector<int32_t>& NicheSearch::ItemsFor(const Niche& niche) const {
  return niche.from_left ? At(begin_, niche.first) : At(end_, niche.last);
}

void NicheSearch::Push(const Niche& niche) {
  if (depth_ == decisions_.size()) {
    decisions_.push_back({.niche = {}, .because = SectionSet(problem_.section_count)});
  }
  Decision& decision = decisions_[depth_++];
  decision.niche = niche;
  decision.next = 0;
  decision.item = kNothing;
  decision.left_empty = false;
  decision.because.Clear();
  const int32_t to = std::min(niche.last + 1, problem_.section_count - 1);
  for (int32_t s = std::max(niche.first - 1, 0); s <= to; ++s) decision.because.Add(s);
}

// The next choice of the last decision; false: none is left.
bool NicheSearch::Advance() {
  Decision& decision = decisions_[depth_ - 1];
  const Niche& niche = decision.niche;
  const std::vector<int32_t>& items = ItemsFor(niche);
  decision.item = kNothing;
  while (decision.next < items.size()) {
    const int32_t item = items[decision.next++];
    if (!IsInside(item, niche) || !IsChoice(item, niche)) continue;
    if (Put(item, niche.level, decision.because)) {
      decision.item = item;
      return true;
    }
    Take(item, niche.level);
  }
  if (decision.left_empty || niche.above == kFar) return false;
  decision.left_empty = true;
  At(floor_, niche.section()) = niche.above;
  return true;
}

// After a failure: back to the last decision that is to blame and has a choice left.
bool NicheSearch::Return() {
  bool failed = true;  // the last decision has no choice left
  because_.Clear();
  while (depth_ > 0) {
    Decision& decision = decisions_[depth_ - 1];
    const Niche& niche = decision.niche;
    if (!failed) {
      bool to_blame = false;
      if (decision.item != kNothing) {
        to_blame = because_.HoldsAny(problem_.sections_of[decision.item]);
        Take(decision.item, niche.level);
      } else {
        to_blame = because_.Holds(niche.section());
        At(floor_, niche.section()) = niche.level;
      }
      if (!to_blame) {
        --depth_;
        continue;
      }
      decision.because.AddAll(because_);
      if (Advance()) return true;
    }
    if (decision.left_empty) At(floor_, niche.section()) = niche.level;
    because_ = decision.because;
    failed = false;
    --depth_;
  }
  return false;
}

// False: some section has no room then, which is added.
bool NicheSearch::Put(int32_t item, int64_t level, SectionSet& because) {
  At(offset_, item) = level;
  const int64_t rounded = At(rounded_, item);
  const int32_t first = At(first_, item);
  const int32_t last = At(last_, item);
  for (int32_t s = first; s <= last; ++s) {
    At(floor_, s) = level + rounded;
    At(unplaced_bytes_, s) -= rounded;
    if (s < last) --At(across_, s);
  }
  Spend(static_cast<size_t>(last - first) + 1);
  if (most_padding_ == 0) return true;
  for (int32_t s = first; s <= last; ++s) {
    if (HasRoom(s, At(floor_, s))) continue;
    because.Add(s);
    return false;
  }
  return true;
}

void NicheSearch::Take(int32_t item, int64_t level) {
  At(offset_, item) = kUnplaced;
  const int64_t rounded = At(rounded_, item);
  const int32_t last = At(last_, item);
  for (int32_t s = At(first_, item); s <= last; ++s) {
    At(floor_, s) = level;
    At(unplaced_bytes_, s) += rounded;
    if (s < last) ++At(across_, s);
  }
}

// Without gaps, and with the item on top whose padding counts most.
bool NicheSearch::HasRoom(int32_t section, int64_t floor) const {
  if (At(unplaced_bytes_, section) == 0) return true;
  const int64_t over = floor + At(unplaced_bytes_, section) - capacity_;
  if (over <= 0) return true;
  if (over > most_padding_) return false;
  return std::ranges::any_of(problem_.items_of[section], [&](int32_t i) {
    return At(offset_, i) == kUnplaced && At(rounded_, i) - At(problem_.items, i).size >= over;
  });
}

}  // namespace pteproof::placement
