#include "base/stop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace pteproof {
namespace {

TEST(Stop, IsAskedOfNoThreadThatWorksForNobody) {
  EXPECT_FALSE(StopAsked());
  EXPECT_NO_THROW(EndIfStopped());
}

TEST(Stop, ReachesTheThreadThatWorksForTheFlag) {
  std::atomic<bool> flag = false;
  const WorksFor caller(&flag);
  EXPECT_NO_THROW(EndIfStopped());
  flag = true;
  EXPECT_TRUE(StopAsked());
  EXPECT_THROW(EndIfStopped(), Stopped);
}

TEST(Stop, ReachesNoOtherThread) {
  const std::atomic<bool> flag = true;
  const WorksFor caller(&flag);
  bool asked = true;
  std::thread([&] { asked = StopAsked(); }).join();
  EXPECT_FALSE(asked);
}

TEST(Stop, IsForgottenAfterTheWork) {
  const std::atomic<bool> flag = true;
  {
    const WorksFor caller(&flag);
  }
  EXPECT_FALSE(StopAsked());
}

}  // namespace
}  // namespace pteproof
