#include "cli/io/exit_code.h"

#include <gtest/gtest.h>

#include <array>

namespace pteproof {
namespace {

// From the best to the worst, as documented.
constexpr std::array kByRank = {ExitCode::kSafe,      ExitCode::kUndecided, ExitCode::kUnsafe,
                                ExitCode::kMalformed, ExitCode::kUsage,     ExitCode::kUnreadable,
                                ExitCode::kInternal};

TEST(ExitCode, TakesTheWorseOfTwoInEitherOrder) {
  for (size_t good = 0; good < kByRank.size(); ++good) {
    for (size_t bad = good; bad < kByRank.size(); ++bad) {
      EXPECT_EQ(Worse(kByRank[good], kByRank[bad]), kByRank[bad]);
      EXPECT_EQ(Worse(kByRank[bad], kByRank[good]), kByRank[bad]);
    }
  }
}

}  // namespace
}  // namespace pteproof
