// What holds for every placement algorithm, over random items.
#include "planner/placement/algorithms.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "planner/placement/load.h"
#include "planner/placement/portfolio.h"
#include "planner/placement/validate.h"
#include "tests/planner/placement/instances.h"
#include "tests/support/counts.h"

namespace pteproof::placement {
namespace {

constexpr Effort kLittle = {.steps = 200'000};
// The search for the best of a dozen may take two seconds, and twenty times that with sanitizers.
const int kMost = IsCampaign() ? 30 : 8;
const int kDozen = IsCampaign() ? 12 : 8;

std::vector<Outcome> PlaceByAll(const Items& items) {
  std::vector<Outcome> outcomes;
  for (const Algorithm algorithm : kAlgorithms)
    outcomes.push_back(Place(items, algorithm, kLittle));
  return outcomes;
}

RC_GTEST_PROP(EveryAlgorithm, GivesALayout, ()) {
  const Items items = *InstancesOf(Everything(kMost));
  RC_ASSERT(Placeable(items));
  for (const Algorithm algorithm : kAlgorithms) {
    const Outcome outcome = Place(items, algorithm, kLittle);
    const std::string why = WhyBad(items, outcome.layout);
    if (!why.empty()) RC_LOG() << NameOf(algorithm) << ": " << why << "\n" << TextOf(items);
    RC_ASSERT(why.empty());
    RC_ASSERT(!MistakeIn(items, outcome.layout));
  }
}

RC_GTEST_PROP(EveryAlgorithm, StaysAboveTheBounds, ()) {
  const Items items = *InstancesOf(Everything(kMost));
  const int64_t load = LoadOf(items);
  RC_ASSERT(load >= BruteLoad(items));
  for (const Outcome& outcome : PlaceByAll(items)) {
    RC_ASSERT(outcome.lower_bound >= load);
    RC_ASSERT(outcome.layout.peak >= outcome.lower_bound);
  }
}

RC_GTEST_PROP(EveryAlgorithm, PlansTwiceTheSame, ()) {
  const Items items = *InstancesOf(Everything(kMost));
  const std::vector<Outcome> first = PlaceByAll(items);
  const std::vector<Outcome> second = PlaceByAll(items);
  for (size_t a = 0; a < first.size(); ++a) {
    RC_ASSERT(first[a].layout.offsets == second[a].layout.offsets);
    RC_ASSERT(first[a].lower_bound == second[a].lower_bound);
  }
}

RC_GTEST_PROP(EveryAlgorithm, ButNaiveAndGreedyDoesNotCareForTheOrderOfItems, ()) {
  const Items items = *InstancesOf(Everything(kMost));
  const Items permuted = Permuted(items, *rc::gen::arbitrary<uint64_t>());
  for (const Algorithm algorithm :
       {Algorithm::kFirstFit, Algorithm::kBestFit, Algorithm::kByConflicts}) {
    RC_ASSERT(Place(items, algorithm).layout.peak == Place(permuted, algorithm).layout.peak);
  }
  const Outcome one = Place(items, Algorithm::kBest, kLittle);
  const Outcome other = Place(permuted, Algorithm::kBest, kLittle);
  // Greedy may beat the rest in one order of equal sizes and not in the other.
  const int64_t greedy = std::min(Place(items, Algorithm::kGreedy).layout.peak,
                                  Place(permuted, Algorithm::kGreedy).layout.peak);
  RC_ASSERT(one.layout.peak == other.layout.peak ||
            std::min(one.layout.peak, other.layout.peak) == greedy);
  RC_ASSERT(one.lower_bound == other.lower_bound);
}

RC_GTEST_PROP(Best, IsNeverAboveAnyOther, ()) {
  const Items items = *InstancesOf(Everything(kMost));
  const int64_t best = Place(items, Algorithm::kBest, {.steps = 0}).layout.peak;
  for (const Algorithm algorithm : {Algorithm::kNaive, Algorithm::kGreedy, Algorithm::kFirstFit,
                                    Algorithm::kBestFit, Algorithm::kByConflicts}) {
    RC_ASSERT(best <= Place(items, algorithm).layout.peak);
  }
  RC_ASSERT(Place(items, Algorithm::kBest, kLittle).layout.peak <=
            Portfolio(std::span<const Item<int64_t>>(items)).peak);
}

RC_GTEST_PROP(Best, IsTheBestOfUpToSixItems, ()) {
  const Items items =
      *InstancesOf({.most_items = 6, .alignments = true, .gaps = true, .empty = true});
  RC_PRE(items.size() <= 6U);
  const Outcome outcome = Place(items, Algorithm::kBest, {.steps = 0});
  RC_ASSERT(outcome.optimal());
  RC_ASSERT(outcome.layout.peak == BrutePeak(items));
}

RC_GTEST_PROP(Best, IsOptimalForUpToTwelveItems, ()) {
  const Items items = *InstancesOf(Everything(kDozen));
  RC_PRE(items.size() <= 12U);
  RC_ASSERT(Place(items, Algorithm::kBest, {.steps = 0}).optimal());
}

TEST(Algorithms, AreKnownByTheirNames) {
  for (const Algorithm algorithm : kAlgorithms) {
    EXPECT_EQ(AlgorithmNamed(NameOf(algorithm)), algorithm);
  }
  EXPECT_EQ(AlgorithmNamed("worst"), std::nullopt);
}

TEST(Algorithms, PlaceNothingAtAll) {
  for (const Algorithm algorithm : kAlgorithms) {
    const Outcome outcome = Place({}, algorithm);
    EXPECT_EQ(outcome.layout.peak, 0);
    EXPECT_TRUE(outcome.optimal());
  }
}

}  // namespace
}  // namespace pteproof::placement
