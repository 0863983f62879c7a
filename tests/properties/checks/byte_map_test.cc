#include "properties/checks/byte_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

namespace pteproof::checks {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<int32_t> Met(const ByteMap& map, const Place& place) {
  std::vector<int32_t> met;
  map.Meet(place, met);
  std::ranges::sort(met);
  met.erase(std::ranges::unique(met).begin(), met.end());
  return met;
}

TEST(Place, MeetsOnlyWhatSharesAByteOfItsBank) {
  const Place place = {1, 8, 16};
  EXPECT_TRUE(place.Meets({1, 15, 20}));
  EXPECT_TRUE(place.Meets({1, 10, 11}));
  EXPECT_FALSE(place.Meets({1, 16, 20}));
  EXPECT_FALSE(place.Meets({1, 0, 8}));
  EXPECT_FALSE(place.Meets({2, 8, 16}));
}

TEST(Place, MeetsNothingWithoutBytesOrBank) {
  EXPECT_FALSE((Place{1, 8, 8}.Meets({1, 0, 16})));
  EXPECT_FALSE((Place{1, 0, 16}.Meets({1, 8, 8})));
  EXPECT_FALSE((Place{0, 0, 16}.Meets({0, 0, 16})));
}

TEST(Place, HoldsWhatLiesInsideIt) {
  EXPECT_TRUE((Place{1, 8, 16}.Holds({1, 8, 16})));
  EXPECT_TRUE((Place{1, 8, 16}.Holds({1, 9, 12})));
  EXPECT_FALSE((Place{1, 8, 16}.Holds({1, 7, 12})));
  EXPECT_FALSE((Place{1, 8, 16}.Holds({1, 9, 17})));
  EXPECT_FALSE((Place{1, 8, 16}.Holds({2, 9, 12})));
}

TEST(ByteMap, MeetsTheNamesInARange) {
  ByteMap map;
  map.Insert(3, {1, 0, 32});
  map.Insert(5, {1, 0, 32});
  map.Insert(9, {1, 32, 64});
  EXPECT_THAT(Met(map, {1, 31, 32}), ElementsAre(3, 5));
  EXPECT_THAT(Met(map, {1, 31, 33}), ElementsAre(3, 5, 9));
  EXPECT_THAT(Met(map, {1, 64, 96}), IsEmpty());
  EXPECT_THAT(Met(map, {2, 0, 64}), IsEmpty());
}

// Two segments, of two names and of one.
TEST(ByteMap, CountsTheNamesThatItVisits) {
  ByteMap map;
  map.Insert(3, {1, 0, 32});
  map.Insert(5, {1, 0, 32});
  map.Insert(9, {1, 32, 64});
  const uint64_t before = map.work();
  Met(map, {1, 0, 64});
  EXPECT_EQ(map.work() - before, 3U);
}

TEST(ByteMap, KeepsTheRestWhenOneOfManyNamesLeaves) {
  ByteMap map;
  for (const int32_t name : {1, 2, 3, 4}) map.Insert(name, {1, 0, 8});
  map.Remove(1, {1, 0, 8});
  map.Remove(3, {1, 0, 8});
  EXPECT_THAT(Met(map, {1, 0, 8}), ElementsAre(2, 4));
}

TEST(ByteMap, CountsEachLiveByteOnce) {
  ByteMap map;
  map.Insert(1, {1, 0, 16});
  map.Insert(2, {1, 8, 24});
  map.Insert(3, {2, 0, 4});
  EXPECT_EQ(map.LiveBytes(1), 24U);
  EXPECT_EQ(map.LiveBytes(2), 4U);
  map.Remove(1, {1, 0, 16});
  EXPECT_EQ(map.LiveBytes(1), 16U);
  EXPECT_EQ(map.LiveBytes(7), 0U);
}

TEST(ByteMap, ForgetsAllWhenCleared) {
  ByteMap map;
  map.Insert(1, {1, 0, 16});
  map.Clear(1);
  EXPECT_EQ(map.LiveBytes(1), 0U);
  EXPECT_THAT(Met(map, {1, 0, 16}), IsEmpty());
}

TEST(ByteMap, TakesNoBytesOfTheReservedBank) {
  ByteMap map;
  map.Insert(1, {0, 0, 16});
  map.Insert(2, {1, 16, 16});
  EXPECT_EQ(map.LiveBytes(0), 0U);
  EXPECT_EQ(map.LiveBytes(1), 0U);
}

TEST(ByteMap, HoldsTheHighestOffsets) {
  ByteMap map;
  map.Insert(1, {1, UINT64_MAX - 4, UINT64_MAX});
  EXPECT_THAT(Met(map, {1, 0, UINT64_MAX}), ElementsAre(1));
  EXPECT_EQ(map.LiveBytes(1), 4U);
}

// Each segment that is looked at counts one, and so does each name beyond the first that is met.
TEST(ByteMap, CountsWork) {
  ByteMap map;
  map.Insert(3, {1, 24, 32});
  EXPECT_EQ(map.work(), 1U);
  map.Insert(1, {1, 0, 16});
  EXPECT_EQ(map.work(), 2U);
  map.Insert(2, {1, 8, 24});  // [8,16) is there, [16,24) is not
  EXPECT_EQ(map.work(), 4U);
  EXPECT_THAT(Met(map, {1, 0, 24}), UnorderedElementsAre(1, 2));
  EXPECT_EQ(map.work(), 8U);
  EXPECT_EQ(map.LiveBytesIn({1, 0, 24}), 24U);
  EXPECT_EQ(map.work(), 11U);
  map.Remove(2, {1, 8, 24});
  EXPECT_EQ(map.work(), 13U);
}

// The same map as plain bytes.
class ByteModel {
 public:
  static constexpr uint64_t kBytes = 64;

  void Insert(int32_t name, const Place& place) {
    for (uint64_t b = place.lo; b < place.hi; ++b) At(place.bank, b).insert(name);
  }
  void Remove(int32_t name, const Place& place) {
    for (uint64_t b = place.lo; b < place.hi; ++b) At(place.bank, b).erase(name);
  }
  std::vector<int32_t> Met(const Place& place) {
    std::set<int32_t> met;
    for (uint64_t b = place.lo; b < place.hi; ++b) met.merge(std::set<int32_t>(At(place.bank, b)));
    return {met.begin(), met.end()};
  }
  uint64_t LiveBytes(uint32_t bank) {
    uint64_t live = 0;
    for (uint64_t b = 0; b < kBytes; ++b) live += At(bank, b).empty() ? 0 : 1;
    return live;
  }

 private:
  std::set<int32_t>& At(uint32_t bank, uint64_t byte) { return banks_[bank][byte]; }
  std::array<std::array<std::set<int32_t>, kBytes>, 3> banks_;
};

Place RandomPlace(std::mt19937& random) {
  const uint64_t lo = random() % ByteModel::kBytes;
  const auto bank = static_cast<uint32_t>(1 + random() % 2);
  return {bank, lo, lo + random() % (ByteModel::kBytes - lo + 1)};
}

TEST(ByteMap, AgreesWithPlainBytesOverRandomOperations) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    ByteMap map;
    ByteModel model;
    std::array<Place, 8> at{};  // where each name lies now; a name lies once
    for (int step = 0; step < 300; ++step) {
      const auto name = static_cast<int32_t>(random() % at.size());
      Place& place = at[static_cast<size_t>(name)];
      if (place.empty()) {
        place = RandomPlace(random);
        map.Insert(name, place);
        model.Insert(name, place);
      } else {
        map.Remove(name, place);
        model.Remove(name, place);
        place = {};
      }
      const Place asked = RandomPlace(random);
      ASSERT_EQ(Met(map, asked), model.Met(asked)) << "seed " << seed << " step " << step;
      ASSERT_EQ(map.LiveBytes(1), model.LiveBytes(1)) << "seed " << seed << " step " << step;
      ASSERT_EQ(map.LiveBytes(2), model.LiveBytes(2)) << "seed " << seed << " step " << step;
    }
  }
}

}  // namespace
}  // namespace pteproof::checks
