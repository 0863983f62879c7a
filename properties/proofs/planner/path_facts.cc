#include "properties/proofs/planner/path_facts.h"

#include <algorithm>

namespace pteproof::proofs {
namespace {

LinearSum WithFirstPositive(const LinearSum& sum) {
  const bool turn = !sum.terms.empty() && sum.terms.front().factor < 0;
  return turn ? Times(sum, -1) : sum;
}

}  // namespace

void PathFacts::Clear() {
  least_.clear();
  at_most_zero_.clear();
  seen_.clear();
  zeros_.clear();
}

void PathFacts::Learn(const PathAtom& atom) {
  if (atom.sign != SumSign::kAtMostZero) {
    const bool zero = atom.sign == SumSign::kZero;
    zeros_.emplace(WithFirstPositive(atom.sum), zero);
    if (!zero) return;
    Learn({atom.sum, SumSign::kAtMostZero});
    Learn({Times(atom.sum, -1), SumSign::kAtMostZero});
    return;
  }
  if (!seen_.emplace(atom.sum, true).second) return;
  seen_.emplace(Negation(atom).sum, false);
  at_most_zero_.push_back(atom.sum);
}

std::optional<bool> PathFacts::Known(const PathAtom& atom) const {
  if (atom.sum.IsConstant()) return Holds(atom, {});
  if (atom.sign == SumSign::kAtMostZero) {
    if (const auto found = seen_.find(atom.sum); found != seen_.end()) return found->second;
    if (FollowsAtOnce(atom.sum)) return true;
    if (FollowsAtOnce(Negation(atom).sum)) return false;
    return std::nullopt;
  }
  std::optional<bool> zero;
  const LinearSum sum = WithFirstPositive(atom.sum);
  if (const auto found = zeros_.find(sum); found != zeros_.end()) {
    zero = found->second;
  } else if (FollowsAtOnce(Plus(sum, 1)) || FollowsAtOnce(Minus({1}, sum))) {
    zero = false;
  } else if (FollowsAtOnce(sum) && FollowsAtOnce(Times(sum, -1))) {
    zero = true;
  }
  if (zero && atom.sign == SumSign::kNotZero) return !*zero;
  return zero;
}

std::optional<int64_t> PathFacts::LeastOf(const LinearSum& sum) const {
  int64_t least = sum.constant;
  for (const LinearTerm& term : sum.terms) {
    const std::optional<int64_t>& bound = least_[static_cast<size_t>(term.variable)];
    if (term.factor < 0 || !bound) return std::nullopt;
    least += term.factor * *bound;
  }
  return least;
}

// By bounds alone, or because it is at most what is known to be at most zero.
bool PathFacts::FollowsAtOnce(const LinearSum& at_most_zero) const {
  if (LeastOf(Times(at_most_zero, -1)).value_or(-1) >= 0) return true;
  return std::ranges::any_of(at_most_zero_, [&](const LinearSum& fact) {
    return LeastOf(Minus(fact, at_most_zero)).value_or(-1) >= 0;
  });
}

}  // namespace pteproof::proofs
