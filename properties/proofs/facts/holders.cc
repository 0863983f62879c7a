// Idea: a name that a move or an et_view makes lies in the bytes of its source. Its holders are
// found by a search backwards from the question, over all paths:
//
//   run 1: move v3 -> v7 --+
//                          +--> run 3: read v7       Of(v7) = {v3, v5}
//   run 2: move v5 -> v7 --+
//
// Within a run the last move to the name decides. A run without one asks its predecessors. A source
// that is itself moved is searched from the moment of its move.
//
// Invariant: each triple of name, run and moment is searched once, so loops end.
//
// Cost: O(runs and moves that lead to the name) per question. Nothing is stored between questions.
#include "properties/proofs/facts/holders.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace pteproof::proofs {

Holders::Holders(std::span<const Take> takes, const Paths& paths) : takes_(takes), paths_(paths) {
  for (const Take& take : takes) {
    if (take.handle) takes_to_[take.to];
  }
  for (const Take& take : takes) {
    if (IsHandle(take.to)) takes_to_[take.to].push_back(&take);
  }
}

const Take* Holders::LastTake(int32_t name, int32_t run, Moment at) const {
  const auto& takes = takes_to_.at(name);
  const auto after = std::ranges::lower_bound(takes, at, {}, [](const Take* t) { return t->at; });
  if (after == takes.begin()) return nullptr;
  const Take* last = *std::prev(after);
  return last->at.instruction >= paths_[run].begin ? last : nullptr;
}

std::vector<int32_t> Holders::Of(int32_t name, Moment at) const {
  // At entry nothing has moved yet, though a jump back may lead there.
  if (!IsHandle(name) || at.instruction < 0) return {name};
  using Search = std::tuple<int32_t, int32_t, Moment>;  // name, run, before
  std::set<int32_t> found;
  std::set<Search> seen;
  std::vector<Search> open = {{name, paths_.RunAt(at.instruction), at}};
  while (!open.empty()) {
    const auto [which, run, before] = open.back();
    open.pop_back();
    if (!IsHandle(which)) {
      found.insert(which);
      continue;
    }
    if (!seen.insert({which, run, before}).second) continue;
    if (const Take* take = LastTake(which, run, before); take != nullptr) {
      if (!take->handle) found.insert(which);
      if (take->handle) open.emplace_back(take->from.front(), run, take->at);
      continue;
    }
    if (run == 0) found.insert(which);
    for (const int32_t p : paths_[run].before) {
      open.emplace_back(which, p, Moment{paths_[p].end, Step::kBefore});
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace pteproof::proofs
