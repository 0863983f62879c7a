#include "properties/proofs/planner/placement_subject.h"

#include <numeric>

#include "planner/placement/fit.h"
#include "planner/placement/greedy.h"
#include "planner/placement/naive.h"
#include "planner/placement/portfolio.h"

namespace pteproof::proofs {
namespace {

using placement::GapRule;
using placement::Item;

PlacementSubject GapRuleSubject(std::string name, GapRule rule) {
  const auto place = [rule]<class Int>(std::span<const Item<Int>> items) {
    const placement::Groups<Int> groups = placement::GroupsOf(items);
    const std::span<const Item<Int>> all(groups.items);
    std::vector<int32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    return placement::LayoutOf(items, groups, placement::PlaceInOrder(all, order, rule));
  };
  PlacementSubject subject = SubjectOf(std::move(name), IndexOverlap, place);
  subject.labelled = true;
  return subject;
}

}  // namespace

std::vector<PlacementSubject> ShippedAlgorithms() {
  std::vector<PlacementSubject> subjects;
  subjects.push_back(
      SubjectOf("naive", IndexOverlap,
                []<class Int>(std::span<const Item<Int>> all) { return placement::Naive(all); }));
  subjects.push_back(
      SubjectOf("greedy", HullOverlap,
                []<class Int>(std::span<const Item<Int>> all) { return placement::Greedy(all); }));
  for (PlacementSubject& subject : subjects) subject.labelled = true;
  subjects.back().all_to_largest = true;
  const size_t plain = subjects.size();
  subjects.push_back(SubjectOf(
      "first-fit", IndexOverlap,
      []<class Int>(std::span<const Item<Int>> all) { return placement::FirstFit(all); }));
  subjects.push_back(
      SubjectOf("best-fit", IndexOverlap,
                []<class Int>(std::span<const Item<Int>> all) { return placement::BestFit(all); }));
  subjects.push_back(SubjectOf(
      "by-conflicts", IndexOverlap,
      []<class Int>(std::span<const Item<Int>> all) { return placement::ByConflicts(all); }));
  for (size_t s = plain; s < subjects.size(); ++s) subjects[s].any_order = true;
  return subjects;
}

std::vector<PlacementSubject> ShippedGapRules() {
  return {GapRuleSubject("lowest gap, any order", GapRule::kLowest),
          GapRuleSubject("smallest gap, any order", GapRule::kSmallest)};
}

PlacementSubject ShippedPortfolio() {
  PlacementSubject subject = SubjectOf(
      "portfolio", IndexOverlap,
      []<class Int>(std::span<const Item<Int>> all) { return placement::Portfolio(all); });
  subject.any_order = true;
  return subject;
}

}  // namespace pteproof::proofs
