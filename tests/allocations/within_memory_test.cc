#include "base/within_memory.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/allocations/failing_new.h"

namespace pteproof {
namespace {

int Otherwise() {
  return -1;
}

TEST(WithinMemoryTest, GivesWhatTheWorkGives) {
  EXPECT_EQ(WithinMemory([] { return 3; }, Otherwise), 3);
}

TEST(WithinMemoryTest, GivesTheOtherWhereAnAllocationFails) {
  const auto size_of = [](size_t count) {
    return [count] { return static_cast<int>(std::vector<char>(count).size()); };
  };
  const FailingNew failing(Fails::kOne, 2);
  EXPECT_EQ(WithinMemory(size_of(4), Otherwise), 4);
  EXPECT_EQ(WithinMemory(size_of(5), Otherwise), -1);
  EXPECT_EQ(WithinMemory(size_of(6), Otherwise), 6);
}

TEST(WithinMemoryTest, GivesTheOtherForASizeThatNoMemoryHas) {
  const auto size_of = [] {
    std::vector<char> bytes;
    bytes.resize(std::numeric_limits<size_t>::max());
    return 1;
  };
  EXPECT_EQ(WithinMemory(size_of, Otherwise), -1);
}

TEST(WithinMemoryTest, LetsMistakesThrough) {
  const auto mistake = []() -> int { throw std::logic_error("a mistake"); };
  EXPECT_THROW((void)WithinMemory(mistake, Otherwise), std::logic_error);
}

}  // namespace
}  // namespace pteproof
