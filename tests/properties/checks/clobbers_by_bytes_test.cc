// The walk against runs by hand of random methods: what a run reads wrongly is found, and on
// straight listings nothing else is.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "properties/checks/clobbers.h"
#include "properties/checks/in_place.h"
#include "tests/support/brute_flow.h"
#include "tests/support/method_recipe.h"

namespace pteproof::checks {
namespace {

constexpr uint32_t kMethods = 20'000;
constexpr int kPaths = 24;

// Whether some run along random paths, with kernels of either order, reads wrongly.
bool RunsWrong(const Method& method, std::span<const BruteView> views, uint32_t seed, int paths) {
  std::mt19937 coin(seed);
  for (int path = 0; path < paths; ++path) {
    for (const ElementOrder order : {ElementOrder::kUp, ElementOrder::kDown}) {
      if (RunByBytes(method, views, order, [&] { return (coin() & 1) != 0; })) return true;
    }
  }
  return false;
}

struct Judgement {
  bool clobber = false;
  bool unmade = false;
  bool operand = false;
  [[nodiscard]] bool any() const { return clobber || unmade || operand; }
};

Judgement JudgementOf(const Method& method) {
  const MethodMeaning meant = MeaningOf(method, nullptr);
  return {!WalkBackwards(meant.flow(), meant.live).clobbers.empty(), !meant.unmade.empty(),
          !CheckOperands(meant).empty()};
}

// Leaves out steps while `fails` still holds of the method.
template <class Fails>
Recipe Smaller(Recipe recipe, Fails fails) {
  for (bool shrunk = true; std::exchange(shrunk, false);) {
    for (size_t s = recipe.steps.size(); s-- > 0;) {
      const Recipe less = WithoutStep(recipe, s);
      if (!IsWellFormed(less) || !fails(MethodOf(less))) continue;
      recipe = less;
      shrunk = true;
    }
  }
  return recipe;
}

// Runs `fails` over the methods of random recipes; a failure is told by its smallest form.
template <class Fails>
void ExpectNone(const RecipeLimits& limits, Fails fails) {
  int wrong = 0;
  for (uint32_t seed = 1; seed <= kMethods; ++seed) {
    std::mt19937 random(seed);
    const Recipe recipe = RandomRecipe(random, limits);
    ASSERT_TRUE(IsWellFormed(recipe)) << "seed " << seed << '\n' << Words(recipe);
    const Method method = MethodOf(recipe);
    wrong += RunsWrong(method, {}, seed, 1) ? 1 : 0;
    if (!fails(method)) continue;
    ADD_FAILURE() << "seed " << seed << '\n' << Words(Smaller(recipe, fails));
    if (::testing::Test::HasFailure()) return;
  }
  // The methods must be worth looking at.
  EXPECT_GT(wrong, static_cast<int>(kMethods / 10));
  EXPECT_LT(wrong, static_cast<int>(kMethods - kMethods / 10));
}

TEST(ClobbersByBytes, FindEveryWrongReadOfStraightListings) {
  RecordProperty("slow", "tries every short listing");
  ExpectNone({}, [](const Method& method) {
    return RunsWrong(method, {}, 1, 1) && !JudgementOf(method).any();
  });
}

TEST(ClobbersByBytes, FindNothingElseInStraightListings) {
  RecordProperty("slow", "tries every short listing");
  ExpectNone({}, [](const Method& method) {
    const Judgement found = JudgementOf(method);
    return (found.clobber || found.unmade) && !RunsWrong(method, {}, 1, 1);
  });
}

TEST(ClobbersByBytes, FindEveryWrongReadOfBranches) {
  RecordProperty("slow", "tries every short listing");
  ExpectNone({.jumps = true}, [](const Method& method) {
    return !JudgementOf(method).any() && RunsWrong(method, {}, 1, kPaths);
  });
}

TEST(ClobbersByBytes, FindNothingElseInBranches) {
  RecordProperty("slow", "tries every short listing");
  ExpectNone({.jumps = true}, [](const Method& method) {
    const Judgement found = JudgementOf(method);
    return (found.clobber || found.unmade) && !RunsWrong(method, {}, 1, 300);
  });
}

TEST(ClobbersByBytes, FindEveryWrongReadOfLoops) {
  RecordProperty("slow", "tries every short listing");
  ExpectNone({.jumps = true, .jumps_back = true}, [](const Method& method) {
    return !JudgementOf(method).any() && RunsWrong(method, {}, 1, kPaths);
  });
}

TEST(ClobbersByBytes, FindNothingElseInLoops) {
  RecordProperty("slow", "tries every short listing");
  ExpectNone({.jumps = true, .jumps_back = true}, [](const Method& method) {
    const Judgement found = JudgementOf(method);
    return (found.clobber || found.unmade) && !RunsWrong(method, {}, 1, 1000);
  });
}

TEST(ClobbersByBytes, AgreeWithRunsWhereTheOrderPlacesViews) {
  RecordProperty("slow", "draws many random cases");
  int wrong = 0;
  for (uint32_t seed = 1; seed <= kMethods; ++seed) {
    std::mt19937 random(seed);
    const OrderedMethod made = RandomOrderedMethod(random);
    const MethodMeaning meant = MeaningOf(made.method, nullptr);
    if (!meant.order.holds) continue;
    const bool runs_wrong = RunsWrong(made.method, made.views, seed, 1);
    wrong += runs_wrong ? 1 : 0;
    const bool clobber = !WalkBackwards(meant.flow(), meant.live).clobbers.empty();
    const bool found = clobber || !CheckOperands(meant).empty();
    ASSERT_TRUE(found || !runs_wrong) << "missed, seed " << seed;
    ASSERT_TRUE(runs_wrong || !clobber) << "false alarm, seed " << seed;
  }
  EXPECT_GT(wrong, static_cast<int>(kMethods / 10));
  EXPECT_LT(wrong, static_cast<int>(kMethods - kMethods / 10));
}

}  // namespace
}  // namespace pteproof::checks
