// Idea: the expression as states and edges (Thompson's construction), asked from the end: which
// states lead to the last sought call, which of these are behind the one before it, and so on to
// the start.
//
//   a b*    0 -a-> 1 --> 2 -b-> 3     3 --> 2, 2 --> 4: the end
//
// Invariant: each state leads to the end, so a history may stop anywhere.
//
// Cost: a fixed point over the edges for each sought call.
#include "properties/proofs/facts/histories.h"

#include <utility>

namespace pteproof::proofs {

Histories Histories::Of(const Program& program, const Manifest* manifest) {
  Histories histories;
  if (manifest == nullptr || !manifest->calls.has_value()) return histories;
  const int32_t start = histories.NewState();
  histories.Build(manifest->calls->pattern, program, start);
  return histories;
}

// The state behind a word of the pattern that begins at `from`.
int32_t Histories::Build(const CallPattern& pattern, const Program& program, int32_t from) {
  using Kind = CallPattern::Kind;
  if (pattern.kind == Kind::kSequence) {
    int32_t at = from;
    for (const CallPattern& part : pattern.parts) at = Build(part, program, at);
    return at;
  }
  const int32_t end = NewState();
  if (pattern.kind == Kind::kCall) {
    int32_t method = -1;
    for (size_t m = 0; m < program.methods.size(); ++m) {
      if (program.methods[m].name == pattern.method && method < 0) method = static_cast<int32_t>(m);
    }
    edges_.push_back({from, end, true, method});
    return end;
  }
  // A state of its own: what goes back to it is not mixed up with what else begins at `from`.
  for (const CallPattern& part : pattern.parts) {
    const int32_t begin = NewState();
    Step(from, begin);
    const int32_t behind = Build(part, program, begin);
    Step(behind, end);
    if (pattern.kind == Kind::kStar || pattern.kind == Kind::kPlus) Step(behind, begin);
  }
  if (pattern.kind == Kind::kStar || pattern.kind == Kind::kOptional) Step(from, end);
  return end;
}

void Histories::GoBack(const std::set<int32_t>& barred, std::vector<bool>& reached) const {
  for (bool grows = true; grows;) {
    grows = false;
    for (const Edge& edge : edges_) {
      const auto from = static_cast<size_t>(edge.from);
      const bool open = !edge.call || !barred.contains(edge.method);
      if (!open || !reached[static_cast<size_t>(edge.to)] || reached[from]) continue;
      reached[from] = true;
      grows = true;
    }
  }
}

bool Histories::Admit(const std::vector<SoughtCall>& sought) const {
  if (all()) return true;
  std::vector<bool> good(static_cast<size_t>(states_), true);
  for (size_t c = sought.size(); c-- > 0;) {
    std::vector<bool> before(static_cast<size_t>(states_), false);
    for (const Edge& edge : edges_) {
      const bool is_it = edge.call && edge.method == sought[c].method;
      if (is_it && good[static_cast<size_t>(edge.to)])
        before[static_cast<size_t>(edge.from)] = true;
    }
    GoBack(sought[c].barred, before);
    good = std::move(before);
  }
  return good.front();
}

}  // namespace pteproof::proofs
