#include "properties/proofs/planner/known_wrong.h"

#include <algorithm>

#include "planner/placement/arithmetic.h"
#include "planner/placement/fit.h"
#include "planner/placement/greedy.h"

namespace pteproof::proofs {
namespace {

using placement::AlignUp;
using placement::Item;
using placement::Layout;
using placement::Span;
using placement::Taken;

enum class FitMistake : uint8_t { kOverlapInOnePoint, kAlignmentForgotten, kPaddingIgnored };

bool OverlapByMoreThanOnePoint(const std::vector<Span>& a, const std::vector<Span>& b) {
  return std::ranges::any_of(a, [&](const Span& x) {
    return std::ranges::any_of(
        b, [&](const Span& y) { return x.lower + 1 < y.upper && y.lower + 1 < x.upper; });
  });
}

OverlapMatrix OverlapWithoutOnePoint(const Lives& lives) {
  OverlapMatrix overlap;
  for (size_t i = 0; i < lives.size(); ++i) {
    for (size_t j = 0; j < lives.size(); ++j) {
      overlap.push_back(i == j || OverlapByMoreThanOnePoint(lives[i], lives[j]));
    }
  }
  return overlap;
}

template <class Int>
Int LowestGap(const Item<Int>& item, FitMistake mistake, std::vector<Taken<Int>>& taken) {
  std::sort(taken.begin(), taken.end(),
            [](const Taken<Int>& a, const Taken<Int>& b) { return a.lo < b.lo; });
  const bool forgets = mistake == FitMistake::kAlignmentForgotten;
  Int end = 0;
  for (const Taken<Int>& range : taken) {
    const Int offset = forgets ? end : AlignUp(end, item.alignment);
    const Int from = mistake == FitMistake::kPaddingIgnored ? end : offset;
    if (from + item.size <= range.lo) return offset;
    end = placement::Larger(end, range.hi);
  }
  return forgets ? end : AlignUp(end, item.alignment);
}

template <class Int>
Layout<Int> FirstFitWith(std::span<const Item<Int>> items, FitMistake mistake) {
  std::vector<Int> offsets(items.size(), Int(0));
  std::vector<size_t> placed;
  for (const int32_t index : placement::OrderBy(items)) {
    const auto i = static_cast<size_t>(index);
    if (!placement::TakesRoom(items[i])) continue;
    std::vector<Taken<Int>> taken;
    for (const size_t other : placed) {
      const bool overlap = mistake == FitMistake::kOverlapInOnePoint
                               ? OverlapByMoreThanOnePoint(items[i].live, items[other].live)
                               : placement::Overlap(items[i].live, items[other].live);
      if (overlap) taken.push_back({offsets[other], offsets[other] + items[other].size});
    }
    offsets[i] = LowestGap(items[i], mistake, taken);
    placed.push_back(i);
  }
  return placement::LayoutOf(items, placement::GroupsOf(items), offsets);
}

PlacementSubject FirstFitSubject(std::string name, OverlapOfCode overlap, FitMistake mistake) {
  return SubjectOf(std::move(name), std::move(overlap),
                   [mistake]<class Int>(std::span<const Item<Int>> items) {
                     return FirstFitWith(items, mistake);
                   });
}

template <class Int>
Layout<Int> DeferredLayout(std::span<const Item<Int>> items) {
  std::vector<Item<Int>> others(items.begin(), items.end());
  for (Item<Int>& item : others) {
    if (item.tie) item.live.clear();  // takes no room while the others are placed
    item.tie.reset();
  }
  Layout<Int> layout = placement::Greedy(std::span<const Item<Int>>(others));
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].tie) continue;
    layout.offsets[i] =
        layout.offsets[static_cast<size_t>(items[i].tie->base)] + items[i].tie->inside;
    if (!placement::TakesRoom(items[i])) continue;
    layout.peak = placement::Larger(layout.peak, Int(layout.offsets[i] + items[i].size));
  }
  return layout;
}

}  // namespace

PlacementSubject DeferredInPlace() {
  return SubjectOf(
      "greedy that defers in-place results", HullOverlap,
      []<class Int>(std::span<const Item<Int>> items) { return DeferredLayout(items); });
}

std::vector<PlacementSubject> FirstFitsWithMistakes() {
  return {
      FirstFitSubject("first-fit blind to one point", OverlapWithoutOnePoint,
                      FitMistake::kOverlapInOnePoint),
      FirstFitSubject("first-fit that forgets alignment", IndexOverlap,
                      FitMistake::kAlignmentForgotten),
      FirstFitSubject("first-fit that ignores padding", IndexOverlap, FitMistake::kPaddingIgnored)};
}

}  // namespace pteproof::proofs
