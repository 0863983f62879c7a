// The next write of random ranges, compared with a look at all writes.
#include "planner/lift/next_writes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace pteproof::planner {
namespace {

TEST(NextWrites, AreTheFirstOnesOfAllThatMeet) {
  std::mt19937 random(1);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    const auto draw = [&] {
      const uint64_t lo = below(20);
      return BankBytes{1 + below(2), lo, lo + 1 + below(8)};
    };
    std::vector<BankBytes> ranges(below(12));
    std::ranges::generate(ranges, draw);
    NextWrites writes(ranges);
    for (size_t i = ranges.size(); i-- > 0;) {
      writes.Write(ranges[i], static_cast<int32_t>(i));
      for (int asked = 0; asked < 8; ++asked) {
        const BankBytes bytes = draw();
        int32_t first = NextWrites::kNone;
        for (size_t n = ranges.size(); n-- > i;) {
          if (Meet(ranges[n], bytes)) first = static_cast<int32_t>(n);
        }
        EXPECT_EQ(writes.Of(bytes), first);
      }
    }
  }
}

}  // namespace
}  // namespace pteproof::planner
