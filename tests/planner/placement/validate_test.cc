#include "planner/placement/validate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "planner/placement/algorithms.h"
#include "tests/planner/placement/instances.h"

namespace pteproof::placement {
namespace {

Item<int64_t> Living(int64_t size, int64_t lower, int64_t upper) {
  return {.size = size, .live = {{lower, upper}}};
}

std::string MistakeOf(const Items& items, std::vector<int64_t> offsets, int64_t peak) {
  const auto mistake = MistakeIn(items, {std::move(offsets), peak});
  return mistake ? TextOf(*mistake) : "";
}

TEST(Validator, NamesBytesAndPointThatTwoItemsShare) {
  const Items items = {Living(16, 0, 4), Living(16, 3, 8), Living(16, 4, 8)};
  EXPECT_EQ(MistakeOf(items, {0, 16, 0}, 32), "");
  EXPECT_EQ(MistakeOf(items, {0, 8, 32}, 48), "items 0 and 1 share bytes [8, 16) at point 3");
  EXPECT_EQ(MistakeOf(items, {0, 16, 24}, 40), "items 1 and 2 share bytes [24, 32) at point 4");
}

TEST(Validator, SeesEveryStretchOfALife) {
  Items items = {Living(16, 0, 2), Living(16, 2, 4)};
  EXPECT_EQ(MistakeOf(items, {0, 0}, 16), "");
  items[0].live.push_back({3, 5});
  EXPECT_EQ(MistakeOf(items, {0, 0}, 16), "items 0 and 1 share bytes [0, 16) at point 3");
}

TEST(Validator, LetsTiedItemsShareBytesWithEachOtherOnly) {
  Items items = {Living(16, 0, 4), Living(8, 2, 6), Living(8, 5, 6)};
  items[1].tie = {.base = 0, .inside = 8};
  EXPECT_EQ(MistakeOf(items, {0, 8, 0}, 16), "");
  EXPECT_EQ(MistakeOf(items, {0, 8, 8}, 16), "items 1 and 2 share bytes [8, 16) at point 5");
  EXPECT_EQ(MistakeOf(items, {0, 0, 8}, 16), "item 1 does not lie in item 0, to which it is tied");
}

TEST(Validator, HoldsItemsToTheirWishes) {
  Items items = {{.size = 4, .alignment = 8, .live = {{0, 1}}}};
  EXPECT_EQ(MistakeOf(items, {4}, 8), "item 0 is not aligned");
  EXPECT_EQ(MistakeOf(items, {-8}, 0), "item 0 ends outside the range of 63-bit numbers");
  EXPECT_EQ(MistakeOf(items, {INT64_MAX - 2}, 0),
            "item 0 ends outside the range of 63-bit numbers");
  items[0].fixed = 16;
  EXPECT_EQ(MistakeOf(items, {8}, 12), "item 0 does not lie at its fixed offset");
  EXPECT_EQ(MistakeOf(items, {16}, 16), "the peak of the layout is not the largest end of an item");
  EXPECT_EQ(MistakeOf(items, {}, 0), "the number of offsets differs from the number of items");
}

RC_GTEST_PROP(Validator, FindsAMistakeWhereOneIs, ()) {
  const Items items = *InstancesOf(Everything(12));
  Layout<int64_t> layout = Place(items, *rc::gen::elementOf(kAlgorithms), {.steps = 0}).layout;
  RC_PRE(!items.empty());
  const auto moved = *rc::gen::inRange<size_t>(0, items.size());
  const auto by = *rc::gen::inRange<int64_t>(-100, 100);
  for (size_t i = 0; i < items.size(); ++i) {
    const bool tied = items[i].tie && static_cast<size_t>(items[i].tie->base) == moved;
    if (i == moved || tied) layout.offsets[i] += by;
  }
  layout.peak = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].size == 0 || items[i].live.empty()) continue;
    layout.peak = std::max(layout.peak, layout.offsets[i] + items[i].size);
  }
  const bool bad = !WhyBad(items, layout).empty();
  RC_CLASSIFY(bad);
  RC_ASSERT(MistakeIn(items, layout).has_value() == bad);
}

}  // namespace
}  // namespace pteproof::placement
