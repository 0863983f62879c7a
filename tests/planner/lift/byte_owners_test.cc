// The map of bytes to owners against an array with a set for each byte.
#include "planner/lift/byte_owners.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

namespace pteproof::planner {
namespace {

constexpr size_t kBytes = 40;
using Plain = std::array<std::set<int32_t>, kBytes>;

void ExpectEqual(const ByteOwners& owners, const Plain& plain) {
  uint64_t at = 0;
  owners.ForEach({1, 0, kBytes}, [&](uint64_t lo, uint64_t hi, const ByteOwners::Owners& found) {
    EXPECT_EQ(lo, at);
    for (; at < hi; ++at) {
      EXPECT_EQ(std::set<int32_t>(found.begin(), found.end()), plain[at]) << "byte " << at;
    }
  });
  EXPECT_EQ(at, kBytes);
}

struct Both {
  ByteOwners owners;
  Plain plain;

  Both() { plain.fill({kAtEntry}); }
  void Change(std::mt19937& random) {
    const uint64_t lo = random() % kBytes;
    const uint64_t hi = lo + random() % (kBytes + 1 - lo);
    const auto owner = static_cast<int32_t>(random() % 5);
    const bool fills = random() % 2 == 0;
    if (fills) {
      owners.Fill({1, lo, hi}, owner);
    } else {
      owners.Add({1, lo, hi}, owner);
    }
    for (uint64_t b = lo; b < hi; ++b) {
      if (fills) plain[b].clear();
      plain[b].insert(owner);
    }
  }
};

TEST(ByteOwnersTest, AreThoseOfAPlainArray) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Both one;
    Both two;
    for (int n = 0; n < 6; ++n) one.Change(random);
    for (int n = 0; n < 6; ++n) two.Change(random);
    ExpectEqual(one.owners, one.plain);
    const Plain before = one.plain;
    for (size_t b = 0; b < kBytes; ++b)
      one.plain[b].insert(two.plain[b].begin(), two.plain[b].end());
    EXPECT_EQ(one.owners.AddAll(two.owners), before != one.plain) << "seed " << seed;
    ExpectEqual(one.owners, one.plain);
    EXPECT_FALSE(one.owners.AddAll(two.owners));
  }
}

}  // namespace
}  // namespace pteproof::planner
