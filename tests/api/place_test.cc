// Placement through the public header: offsets worked out by hand, and what is refused.
#include "pteproof/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace pteproof {
namespace {

using placement::Algorithm;
using placement::Storage;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PlaceStorages, SharesBytesOfStoragesThatDoNotMeet) {
  const std::vector<Storage> storages = {{.size = 64, .live = {{0, 1}}},
                                         {.size = 48, .live = {{1, 2}}}};
  for (const Algorithm algorithm : placement::kAlgorithms) {
    if (algorithm == Algorithm::kNaive) continue;
    const auto placed = PlaceStorages(storages, {.algorithm = algorithm});
    ASSERT_TRUE(placed.ok());
    EXPECT_EQ(placed.value().peak, 64) << placement::NameOf(algorithm);
    EXPECT_THAT(placed.value().offsets, ElementsAre(0, 0)) << placement::NameOf(algorithm);
  }
  EXPECT_EQ(PlaceStorages(storages, {.algorithm = Algorithm::kNaive}).value().peak, 112);
}

TEST(PlaceStorages, TellsWhatIsLiveAndWhatIsBest) {
  const std::vector<Storage> storages = {{.size = 64, .live = {{0, 2}}},
                                         {.size = 32, .live = {{1, 3}}},
                                         {.size = 16, .live = {{2, 3}}}};
  const auto placed = PlaceStorages(storages, {.seconds = 0.5});
  ASSERT_TRUE(placed.ok());
  EXPECT_EQ(placed.value().peak_live, 96);
  EXPECT_EQ(placed.value().peak, 96);
  EXPECT_TRUE(placed.value().optimal());
}

TEST(PlaceStorages, KeepsFixedAndTiedStoragesWhereTheyBelong) {
  std::vector<Storage> storages = {{.size = 64, .live = {{0, 2}}, .fixed = 128},
                                   {.size = 16, .live = {{1, 3}}}};
  storages[1].tie = Storage::Tie{0, 32};
  const auto placed = PlaceStorages(storages);
  ASSERT_TRUE(placed.ok());
  EXPECT_THAT(placed.value().offsets, ElementsAre(128, 160));
}

TEST(PlaceStorages, PlacesNothing) {
  const auto placed = PlaceStorages({});
  ASSERT_TRUE(placed.ok());
  EXPECT_EQ(placed.value().peak, 0);
}

TEST(PlaceStorages, NamesAStorageThatCannotBePlaced) {
  const Storage good = {.size = 8, .live = {{0, 1}}};
  const std::vector<Storage> bad = {{.size = -1, .live = {{0, 1}}},
                                    {.size = 8, .alignment = 3, .live = {{0, 1}}},
                                    {.size = 8, .live = {{2, 1}}},
                                    {.size = 8, .live = {{0, 1}}, .fixed = -8}};
  for (const Storage& each : bad) {
    const auto placed = PlaceStorages(std::vector<Storage>{good, each});
    ASSERT_FALSE(placed.ok());
    EXPECT_EQ(placed.error().first, 1);
  }
}

TEST(PlaceStorages, RefusesTiesInACircleAndSizesWithoutEnd) {
  std::vector<Storage> circle(2, Storage{.size = 8, .live = {{0, 1}}});
  circle[0].tie = Storage::Tie{1, 0};
  circle[1].tie = Storage::Tie{0, 0};
  EXPECT_FALSE(PlaceStorages(circle).ok());
  const std::vector<Storage> huge(
      3, Storage{.size = std::numeric_limits<int64_t>::max() / 4, .live = {{0, 1}}});
  EXPECT_FALSE(PlaceStorages(huge).ok());
}

TEST(PlaceStorages, NamesStoragesThatAreFixedInTheSameBytes) {
  const std::vector<Storage> storages = {{.size = 64, .live = {{0, 2}}, .fixed = 0},
                                         {.size = 64, .live = {{1, 3}}, .fixed = 32}};
  const auto placed = PlaceStorages(storages);
  ASSERT_FALSE(placed.ok());
  EXPECT_THAT(placed.error().what, HasSubstr("[32, 64)"));
  EXPECT_EQ(placed.error().first + placed.error().second, 1);
}

}  // namespace
}  // namespace pteproof
