// What is not in use at a peak, of random banks, compared with a look at every byte.
#include "cli/render/peak_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "properties/picture/peak.h"

namespace pteproof {
namespace {

using picture::Panel;
using picture::Storage;

picture::Picture PictureOf(Panel panel) {
  picture::Picture picture;
  picture.methods.emplace_back().name = "forward";
  picture.banks.push_back({1, false, {std::move(panel)}});
  return picture;
}

// A storage of value `v`, in use over so many points from one on.
Storage StorageOf(int32_t v, uint64_t lo, uint64_t hi, int64_t first, int64_t points) {
  Storage storage;
  storage.lo = lo;
  storage.hi = hi;
  storage.live = {{first, first + points}};
  storage.parts.emplace_back().value = v;
  return storage;
}

// By the value that lies there longest, the first of equals: bytes in which none is in use then.
std::map<std::string, uint64_t> WasteByEye(const Panel& panel) {
  const auto at_peak = StoragesAt(panel, PeakOf(panel));
  const auto holds = [&](size_t s, uint64_t byte) {
    return panel.storages[s].lo <= byte && byte < panel.storages[s].hi;
  };
  std::map<std::string, uint64_t> waste;
  for (uint64_t byte = 0; byte < panel.use.size; ++byte) {
    if (std::ranges::any_of(at_peak, [&](size_t s) { return holds(s, byte); })) continue;
    const Storage* longest = nullptr;
    const auto points = [](const Storage& storage) {
      return storage.live.front().upper - storage.live.front().lower;
    };
    for (size_t s = 0; s < panel.storages.size(); ++s) {
      const Storage& storage = panel.storages[s];
      const bool is_longer = longest == nullptr || points(storage) > points(*longest);
      if (holds(s, byte) && is_longer) longest = &storage;
    }
    ++waste[longest == nullptr ? "no value" : fmt::format("v{}", longest->parts.front().value)];
  }
  return waste;
}

TEST(PeakTree, SaysOfEachByteThatIsNotInUseWhatLiesThereLongest) {
  std::mt19937 random(1);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    Panel panel;
    panel.is_there = true;
    panel.use.size = 40;
    for (int32_t v = 0, count = static_cast<int32_t>(below(12)); v < count; ++v) {
      const uint64_t lo = below(36);
      panel.storages.push_back(StorageOf(v, lo, lo + below(5), below(10), 1 + below(6)));
    }
    std::ranges::stable_sort(panel.storages, {}, &Storage::lo);
    const std::vector<BankPeak> peaks = PeaksOf(PictureOf(panel), {}, 100);
    ASSERT_EQ(peaks.size(), 1U);
    std::map<std::string, uint64_t> told;
    for (const PeakLine& line : peaks.front().waste.lines) told[line.text] += line.bytes;
    EXPECT_EQ(told, WasteByEye(panel)) << "round " << round;
  }
}

TEST(PeakTree, MakesNoTreesIfNoneAreAskedFor) {
  Panel panel;
  panel.is_there = true;
  panel.use.size = 32;
  panel.storages = {StorageOf(0, 0, 16, 0, 4)};
  const BankPeak with = PeaksOf(PictureOf(panel), {}, 100).front();
  const BankPeak without = PeaksOf(PictureOf(panel), {}, {}).front();
  EXPECT_EQ(with.waste.bytes, 16U);
  EXPECT_EQ(with.in_use.bytes, 16U);
  EXPECT_EQ(without.waste.bytes + without.in_use.bytes, 0U);
  EXPECT_EQ(without.instruction, with.instruction);
}

// Every second value is in use at the peak, and something else lay between them.
TEST(PeakTree, IsMadeOfManyGapsToo) {
  Panel panel;
  panel.is_there = true;
  constexpr int32_t kMany = 100'000;
  panel.use.size = 16 * uint64_t{kMany};
  for (int32_t v = 0; v < kMany; ++v) {
    const uint64_t lo = 16 * static_cast<uint64_t>(v);
    panel.storages.push_back(StorageOf(v, lo, lo + 16, v % 2 == 0 ? 5 : 0, v % 2 == 0 ? 2 : 1));
  }
  const BankPeak peak = PeaksOf(PictureOf(panel), {}, 1).front();
  EXPECT_EQ(peak.waste.bytes, panel.use.size / 2);
  EXPECT_EQ(peak.waste.left_out, size_t{kMany / 2 - 1});
}

}  // namespace
}  // namespace pteproof
