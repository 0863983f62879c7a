// Orders of tasks: against all permutations of small problems.
#include "planner/replan/order_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "properties/oracles/random_inputs.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;

bool IsAllowed(const OrderProblem& problem, const std::vector<int32_t>& order) {
  std::vector<size_t> at(order.size());
  for (size_t n = 0; n < order.size(); ++n) at[static_cast<size_t>(order[n])] = n;
  for (size_t t = 0; t < order.size(); ++t) {
    for (const int32_t b : problem.before[t]) {
      if (at[static_cast<size_t>(b)] > at[t]) return false;
    }
  }
  return true;
}

// Item by item: from its first task to its last one.
int64_t PeakIn(const OrderProblem& problem, const std::vector<int32_t>& order) {
  std::vector<int64_t> bytes(order.size());
  for (const OrderedItem& item : problem.items) {
    size_t first = order.size();
    size_t last = 0;
    for (size_t n = 0; n < order.size(); ++n) {
      if (std::ranges::find(item.tasks, order[n]) == item.tasks.end()) continue;
      first = std::min(first, n);
      last = n;
    }
    if (item.at_start) first = 0;
    if (item.at_end) last = order.size() - 1;
    for (size_t n = first; n <= last && n < order.size(); ++n) bytes[n] += item.bytes;
  }
  return *std::ranges::max_element(bytes);
}

// 0 and 1 make large items, which 2 and 3 make small.
OrderProblem TwoBranches() {
  OrderProblem problem;
  problem.before = {{}, {}, {0}, {1}, {2, 3}};
  problem.items = {{100, {0, 2}}, {100, {1, 3}}, {10, {2, 4}}, {10, {3, 4}}};
  return problem;
}

TEST(OrderSearch, EndsOneBranchBeforeTheNext) {
  const OrderProblem problem = TwoBranches();
  EXPECT_EQ(PeakOf(problem), 210);
  const FoundOrder found = BestOrder(problem, 1000);
  EXPECT_EQ(found.peak, 120);
  EXPECT_TRUE(found.is_best());
  EXPECT_EQ(PeakIn(problem, found.order), 120);
}

TEST(OrderSearch, KeepsAnOrderThatCannotBeBetter) {
  OrderProblem problem;
  problem.before = {{}, {0}, {1}};
  problem.items = {{10, {0, 1}}, {10, {1, 2}, false, true}};
  const FoundOrder found = BestOrder(problem, 1000);
  EXPECT_THAT(found.order, ElementsAre(0, 1, 2));
  EXPECT_TRUE(found.is_best());
}

OrderProblem RandomProblem(uint64_t seed) {
  std::mt19937_64 random(seed);
  OrderProblem problem;
  const uint64_t count = 3 + Below(random, 5);
  for (uint64_t t = 0; t < count; ++t) {
    std::vector<int32_t>& before = problem.before.emplace_back();
    for (uint64_t b = 0; b < t; ++b) {
      if (Below(random, 4) == 0) before.push_back(static_cast<int32_t>(b));
    }
  }
  for (uint64_t i = 0; i < count + 2; ++i) {
    OrderedItem& item = problem.items.emplace_back();
    item.bytes = static_cast<int64_t>(1 + Below(random, 100));
    for (uint64_t t = 0; t < count; ++t) {
      if (Below(random, 3) == 0) item.tasks.push_back(static_cast<int32_t>(t));
    }
    if (item.tasks.empty()) item.tasks.push_back(0);
    item.at_start = Below(random, 8) == 0;
    item.at_end = Below(random, 8) == 0;
  }
  return problem;
}

TEST(OrderSearch, FindsTheBestOfAllOrders) {
  int better = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const OrderProblem problem = RandomProblem(seed);
    std::vector<int32_t> order(problem.before.size());
    std::iota(order.begin(), order.end(), 0);
    EXPECT_EQ(PeakOf(problem), PeakIn(problem, order)) << seed;
    int64_t least = PeakIn(problem, order);
    do {
      if (IsAllowed(problem, order)) least = std::min(least, PeakIn(problem, order));
    } while (std::ranges::next_permutation(order).found);
    const FoundOrder found = BestOrder(problem, 1'000'000);
    EXPECT_TRUE(found.is_best());
    EXPECT_EQ(found.peak, least) << seed;
    EXPECT_TRUE(IsAllowed(problem, found.order)) << seed;
    EXPECT_EQ(PeakIn(problem, found.order), found.peak) << seed;
    better += found.peak < PeakOf(problem) ? 1 : 0;
    const FoundOrder beam = BestOrder(problem, 1);
    EXPECT_TRUE(IsAllowed(problem, beam.order)) << seed;
    EXPECT_LE(beam.peak, PeakOf(problem)) << seed;
    EXPECT_GE(beam.peak, least) << seed;
    EXPECT_LE(beam.least, least) << seed;
    EXPECT_EQ(PeakIn(problem, beam.order), beam.peak) << seed;
  }
  EXPECT_GT(better, 100);
}

}  // namespace
}  // namespace pteproof::planner
