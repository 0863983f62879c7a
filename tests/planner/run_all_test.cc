#include "planner/run_all.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>

#include "base/stop.h"

namespace pteproof {
namespace {

TEST(RunAll, RunsEachOnceOnAnyNumberOfThreads) {
  for (const size_t threads : {1U, 2U, 7U, 100U}) {
    std::array<std::atomic<int>, 50> times = {};
    RunAll(times.size(), threads, [&](size_t i) { ++times[i]; });
    for (const std::atomic<int>& count : times) EXPECT_EQ(count, 1) << threads;
  }
}

TEST(RunAll, ThrowsWhatOneOfThemThrows) {
  const auto run = [](size_t i) {
    if (i == 3) throw std::runtime_error("three");
  };
  EXPECT_THROW(RunAll(8, 1, run), std::runtime_error);
  EXPECT_THROW(RunAll(8, 4, run), std::runtime_error);
}

TEST(RunAll, WorksForTheCallersOwner) {
  const std::atomic<bool> stop = true;
  const WorksFor owner(&stop);
  std::atomic<int> asked = 0;
  RunAll(16, 4, [&](size_t) { asked += StopAsked() ? 1 : 0; });
  EXPECT_EQ(asked, 16);
}

}  // namespace
}  // namespace pteproof
