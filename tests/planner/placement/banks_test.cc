#include "planner/placement/banks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "planner/placement/greedy.h"
#include "tests/planner/placement/instances.h"

namespace pteproof::placement {
namespace {

using ::testing::ElementsAre;

Item<int64_t> At(int64_t size, int64_t lower, int64_t upper) {
  return {.size = size, .live = {{lower, upper}}};
}

const Placer kFirstFit = PlacerOf(Algorithm::kFirstFit);

TEST(Banks, FillInOrderAndSpill) {
  const Items items = {At(60, 0, 1), At(50, 0, 1), At(40, 0, 1)};
  const std::vector<Bank> banks = {{.name = "fast", .capacity = 100}, {.name = "slow"}};
  const auto placed = PlaceInBanks(items, banks, {}, kFirstFit);
  ASSERT_TRUE(placed.ok());
  EXPECT_THAT(placed.value().bank, ElementsAre(0, 1, 0));
  EXPECT_THAT(placed.value().offsets, ElementsAre(0, 0, 60));
  EXPECT_THAT(placed.value().peaks, ElementsAre(100, 50));
}

TEST(Banks, HoldPinnedItemsFirst) {
  const Items items = {At(60, 0, 1), At(50, 0, 1)};
  const std::vector<Bank> banks = {{.name = "fast", .capacity = 100}, {.name = "slow"}};
  const std::vector<Preference> preferences = {{}, {0}};
  const auto placed = PlaceInBanks(items, banks, preferences, kFirstFit);
  ASSERT_TRUE(placed.ok());
  EXPECT_THAT(placed.value().bank, ElementsAre(1, 0));
}

TEST(Banks, FollowEachItemsOwnOrder) {
  const Items items = {At(60, 0, 1), At(50, 0, 1)};
  const std::vector<Bank> banks = {{.name = "a", .capacity = 100}, {.name = "b"}};
  const std::vector<Preference> preferences = {{1, 0}, {0, 1}};
  const auto placed = PlaceInBanks(items, banks, preferences, kFirstFit);
  ASSERT_TRUE(placed.ok());
  EXPECT_THAT(placed.value().bank, ElementsAre(1, 0));
}

TEST(Banks, KeepWhatIsTiedTogether) {
  Items items = {At(40, 0, 1), At(70, 0, 1), At(40, 1, 2)};
  items[2].tie = {.base = 0, .inside = 0};
  const std::vector<Bank> banks = {{.name = "fast", .capacity = 80}, {.name = "slow"}};
  const std::vector<Preference> preferences = {{}, {}, {1}};
  const auto placed = PlaceInBanks(items, banks, preferences, kFirstFit);
  ASSERT_TRUE(placed.ok());
  EXPECT_THAT(placed.value().bank, ElementsAre(1, 0, 1));
}

TEST(Banks, AlignWhatLiesInThem) {
  const Items items = {At(5, 0, 1), At(5, 0, 1)};
  const std::vector<Bank> banks = {{.name = "a", .alignment = 64}};
  const auto placed = PlaceInBanks(items, banks, {}, kFirstFit);
  ASSERT_TRUE(placed.ok());
  EXPECT_THAT(placed.value().peaks, ElementsAre(69));
}

TEST(Banks, NameTheFewItemsThatDoNotFit) {
  // At point 5 three meet, of which any two fit; everything else is innocent.
  Items items;
  for (int64_t p = 0; p < 12; ++p) items.push_back(At(50, p, p + 1));
  items[5] = At(40, 5, 6);
  items.push_back(At(35, 5, 6));
  items.push_back(At(30, 4, 6));
  const std::vector<Bank> banks = {{.name = "a", .capacity = 100}};
  const auto placed = PlaceInBanks(items, banks, {}, kFirstFit);
  ASSERT_FALSE(placed.ok());
  EXPECT_EQ(placed.error().kind, BankError::Kind::kFull);
  EXPECT_EQ(placed.error().bank, 0);
  EXPECT_THAT(placed.error().items, ElementsAre(5, 12, 13));
}

TEST(Banks, NameOneItemThatIsLargerThanTheBank) {
  const Items items = {At(10, 0, 1), At(101, 0, 1)};
  const std::vector<Bank> banks = {{.name = "a", .capacity = 100}};
  const auto placed = PlaceInBanks(items, banks, {}, kFirstFit);
  ASSERT_FALSE(placed.ok());
  EXPECT_THAT(placed.error().items, ElementsAre(1));
}

TEST(Banks, RefuseItemsForNoBank) {
  const Items items = {At(10, 0, 1), At(10, 0, 1)};
  const std::vector<Bank> banks = {{.name = "a"}};
  const std::vector<Preference> preferences = {{0}, {1}};
  const auto placed = PlaceInBanks(items, banks, preferences, kFirstFit);
  ASSERT_FALSE(placed.ok());
  EXPECT_EQ(placed.error().kind, BankError::Kind::kNoBank);
  EXPECT_THAT(placed.error().items, ElementsAre(1));
}

TEST(Banks, RefuseALayoutThatIsNone) {
  const Items items = {At(10, 0, 1), At(10, 0, 1)};
  const std::vector<Bank> banks = {{.name = "a"}};
  const auto placed = PlaceInBanks(
      items, banks, {}, [](std::span<const Item<int64_t>>) { return Layout<int64_t>{{0, 5}, 15}; });
  ASSERT_FALSE(placed.ok());
  EXPECT_EQ(placed.error().kind, BankError::Kind::kBadLayout);
  EXPECT_EQ(placed.error().why, "items 0 and 1 share bytes [5, 10) at point 0");
}

TEST(Pools, StandForBanks) {
  const std::vector<std::string> pools = {"sram", "", "dram"};
  const auto known = [](const std::string& pool) -> std::optional<Preference> {
    if (pool == "sram") return Preference{0, 1};
    if (pool == "dram") return Preference{1};
    return std::nullopt;
  };
  const auto preferences = PreferencesOf(pools, known);
  ASSERT_TRUE(preferences.ok());
  EXPECT_THAT(preferences.value(), ElementsAre(Preference{0, 1}, Preference{}, Preference{1}));
  const std::vector<std::string> unknown = {"sram", "flash"};
  const auto refused = PreferencesOf(unknown, known);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().items, ElementsAre(1));
}

RC_GTEST_PROP(Banks, OneWithoutCapacityHoldsTheAlgorithmsOwnLayout, ()) {
  const Items items = *InstancesOf(Everything(20));
  const std::vector<Bank> banks = {{.name = "a"}};
  const auto placed = PlaceInBanks(items, banks, {}, PlacerOf(Algorithm::kGreedy));
  RC_ASSERT(placed.ok());
  RC_ASSERT(placed.value().offsets == Greedy<int64_t>(items).offsets);
}

RC_GTEST_PROP(Banks, HoldLayoutsWithinTheirCapacitiesOrNameWhatIsTooMuch, ()) {
  const Items items = *InstancesOf(
      {.most_items = 20, .alignments = true, .gaps = true, .empty = true, .ties = true});
  const std::vector<Bank> banks = {{.name = "a", .capacity = *rc::gen::inRange<int64_t>(0, 300)},
                                   {.name = "b", .capacity = *rc::gen::inRange<int64_t>(0, 300)}};
  const auto placed = PlaceInBanks(items, banks, {}, kFirstFit);
  if (!placed.ok()) {
    Items few;
    for (const int32_t i : placed.error().items) {
      few.push_back(items[static_cast<size_t>(i)]);
      few.back().tie.reset();
    }
    RC_ASSERT(placed.error().kind == BankError::Kind::kFull);
    RC_ASSERT(!few.empty());
    return;
  }
  for (int32_t b : {0, 1}) {
    Items own = items;
    for (size_t i = 0; i < own.size(); ++i) {
      if (placed.value().bank[i] != b) own[i].live.clear();
    }
    const Layout<int64_t> layout{placed.value().offsets,
                                 placed.value().peaks[static_cast<size_t>(b)]};
    RC_ASSERT(WhyBad(own, layout) == "");
    RC_ASSERT(layout.peak <= banks[static_cast<size_t>(b)].capacity);
  }
}

}  // namespace
}  // namespace pteproof::placement
