// Idea. Assignments that happen at once become copies one after the other. A copy must wait while
// another pending one reads what it overwrites. If all wait, they form circles, and one old value
// is copied aside.
//
//   a <- b, b <- c    :  b <- c would lose b, so a <- b comes first      a <- b; b <- c
//   a <- b, b <- a    :  both wait: a circle                             t <- a; a <- b; b <- t
//
// A view of an overwritten value counts as a reader at first. If only such readers are left, it is
// ignored: the view then gets bytes of its own.
//
// Invariant: each copy in `ordered` reads a value that no earlier copy has overwritten. Each round
// takes one assignment or breaks one circle, so it ends. Cost: O(n^2) assignments, which are few.
#include "planner/code/parallel_copy.h"

#include <algorithm>

#include "planner/planted.h"

namespace pteproof::planner {
namespace {

using Assignments = std::vector<Assignment>;

// Defects: what lies in one buffer, or input, counts as stored in any.
bool IsTakenForThere(const Assignment& each, const Code& code) {
  const auto both_are = [&](Origin origin) {
    return each.over >= 0 && code.values[static_cast<size_t>(each.over)].origin == origin &&
           code.values[static_cast<size_t>(RootOf(code, each.from))].origin == origin;
  };
  return (Planted(Defect::kStoreOfBufferLost) && both_are(Origin::kBuffer)) ||
         (Planted(Defect::kInputToInputLost) && both_are(Origin::kInput));
}

bool IsThereAlready(const Assignment& each, const Code& code) {
  if (each.from == each.over || IsTakenForThere(each, code)) return true;
  const auto& values = code.values;
  return RootOf(code, each.from) == each.over &&
         values[static_cast<size_t>(each.from)].type == values[static_cast<size_t>(each.over)].type;
}

// Whether another one has yet to read what this one overwrites. A view may have bytes of its own:
// then only what reads the value itself counts.
bool IsAwaited(const Assignments& pending, size_t which, const Code& code, bool count_views) {
  for (size_t k = 0; k < pending.size(); ++k) {
    if (k == which) continue;
    const ValueId from = count_views ? RootOf(code, pending[k].from) : pending[k].from;
    if (from == pending[which].over) return true;
  }
  return false;
}

bool TakeOne(Assignments& pending, const Code& code, bool count_views, Assignments& ordered) {
  for (size_t k = 0; k < pending.size(); ++k) {
    if (IsAwaited(pending, k, code, count_views)) continue;
    ordered.push_back(pending[k]);
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
    return true;
  }
  return false;
}

// All that is left goes round in circles: what the first one overwrites is kept elsewhere.
void SetAside(Assignments& pending, Code& code, Assignments& ordered) {
  if (Planted(Defect::kSwapWithoutTemporary)) {
    ordered.push_back(pending.front());
    pending.erase(pending.begin());
    return;
  }
  const ValueId over = pending.front().over;
  const auto aside = static_cast<ValueId>(code.values.size());
  code.values.push_back({.type = code.values[static_cast<size_t>(over)].type});
  if (!code.values[static_cast<size_t>(over)].carried) code.values.back().same_as = over;
  ordered.push_back({aside, -1, over});
  for (Assignment& each : pending) {
    if (each.from == over) each.from = aside;
  }
}

}  // namespace

ValueId RootOf(const Code& code, ValueId value) {
  while (const auto base = code.values[static_cast<size_t>(value)].same_as) value = *base;
  return value;
}

std::vector<Assignment> InOrder(std::vector<Assignment> pending, Code& code) {
  std::erase_if(pending, [&](const Assignment& each) { return IsThereAlready(each, code); });
  if (Planted(Defect::kStoresAsListed)) return pending;
  Assignments ordered;
  while (!pending.empty()) {
    if (TakeOne(pending, code, true, ordered)) continue;
    if (TakeOne(pending, code, false, ordered)) continue;
    SetAside(pending, code, ordered);
  }
  return ordered;
}

}  // namespace pteproof::planner
