#include "properties/proofs/planner/placement_goals.h"

#include "properties/proofs/planner/overlap_classes.h"

namespace pteproof::proofs {
namespace {

using PlacedLayout = placement::Layout<SymbolicInt>;

PathAtom AtMost(const SymbolicInt& a, const SymbolicInt& b) {
  return {Minus(a.sum, b.sum), SumSign::kAtMostZero};
}

PathAtom Same(const SymbolicInt& a, const SymbolicInt& b) {
  return {Minus(a.sum, b.sum), SumSign::kZero};
}

bool HasBytes(const SymbolicItems& items, size_t i) {
  return SymbolicInt(0) < items[i].size;
}

void AddGoalsOfItem(const SymbolicItems& items, const PlacedLayout& layout, size_t i,
                    std::vector<PathGoal>& goals) {
  const SymbolicInt& offset = layout.offsets[i];
  goals.push_back({"contained", {AtMost(0, offset)}});
  if (items[i].fixed) goals.push_back({"fixed", {Same(offset, *items[i].fixed)}});
  if (items[i].tie) {
    const auto& tie = *items[i].tie;
    const SymbolicInt there = layout.offsets[static_cast<size_t>(tie.base)] + tie.inside;
    goals.push_back({"tied", {Same(offset, there)}});
  }
  if (!HasBytes(items, i)) return;
  goals.push_back({"contained", {AtMost(offset + items[i].size, layout.peak)}});
  if (items[i].fixed || items[i].tie) return;
  goals.push_back({"aligned", {AtMost(AlignUp(offset, items[i].alignment), offset)}});
}

bool TiedTogether(const SymbolicItems& items, size_t i, size_t j) {
  const auto base = [&](size_t at) {
    return items[at].tie ? static_cast<size_t>(items[at].tie->base) : at;
  };
  return base(i) == base(j);
}

SymbolicInt LargestAlignment(const SymbolicItems& items) {
  SymbolicInt largest = 1;
  for (const auto& item : items) {
    if (largest < item.alignment) largest = item.alignment;
  }
  return largest;
}

SymbolicInt MostBytes(const SymbolicItems& items, PeakBound bound) {
  const bool own = bound == PeakBound::kPadded;
  const SymbolicInt largest = own ? SymbolicInt(1) : LargestAlignment(items);
  SymbolicInt sum = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!HasBytes(items, i)) continue;
    sum = sum + (bound == PeakBound::kRounded
                     ? AlignUp(items[i].size, largest)
                     : items[i].size + (own ? items[i].alignment : largest) - 1);
  }
  return sum;
}

}  // namespace

std::vector<PathGoal> GoalsOf(const SymbolicItems& items, const PlacedLayout& layout,
                              PeakBound bound) {
  std::vector<PathGoal> goals;
  const size_t count = items.size();
  Lives lives;
  for (const auto& item : items) lives.push_back(item.live);
  const OverlapMatrix overlap = TrueOverlap(lives);
  for (size_t i = 0; i < count; ++i) AddGoalsOfItem(items, layout, i, goals);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      if (!overlap[i * count + j] || TiedTogether(items, i, j)) continue;
      if (!HasBytes(items, i) || !HasBytes(items, j)) continue;
      goals.push_back({"disjoint",
                       {AtMost(layout.offsets[i] + items[i].size, layout.offsets[j]),
                        AtMost(layout.offsets[j] + items[j].size, layout.offsets[i])}});
    }
  }
  for (const std::vector<size_t>& clique : MaximalCliques(count, overlap)) {
    SymbolicInt load = 0;
    for (const size_t i : clique) {
      if (!items[i].tie) load = load + items[i].size;
    }
    goals.push_back({"peak live bytes", {AtMost(load, layout.peak)}});
  }
  if (bound != PeakBound::kNone) {
    goals.push_back({"bounded", {AtMost(layout.peak, MostBytes(items, bound))}});
  }
  return goals;
}

std::vector<PathGoal> SameLayoutGoals(const PlacedLayout& layout, const PlacedLayout& reordered,
                                      const std::vector<size_t>& counterparts) {
  std::vector<PathGoal> goals{{"order", {Same(layout.peak, reordered.peak)}}};
  for (size_t i = 0; i < counterparts.size(); ++i) {
    goals.push_back({"order", {Same(layout.offsets[i], reordered.offsets[counterparts[i]])}});
  }
  return goals;
}

std::string GoalsText(const PlacementCase& of, PeakBound bound) {
  std::string text = "disjoint, contained, aligned, at least the peak live bytes";
  if (bound == PeakBound::kRounded) {
    text += ", at most the sum of sizes rounded to the largest alignment";
  }
  if (bound == PeakBound::kPadded) text += ", at most the sum of size + alignment - 1";
  if (bound == PeakBound::kPaddedToLargest) {
    text += ", at most the sum of size + largest alignment - 1";
  }
  if (of.fixed) text += ", fixed storages at their offsets";
  if (of.tied || of.in_place) text += ", tied storages in their bases";
  if (of.all_orders) text += ", the same for every order of the items";
  return text;
}

}  // namespace pteproof::proofs
