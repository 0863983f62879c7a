// What a pointer into an operand's memory gives out, and what ends the call.
#include "runtime/kernels/base/checked_pointer.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace pteproof {
namespace {

constexpr int64_t kFarthest = std::numeric_limits<int64_t>::max();

template <class Ask>
bool EndsOutside(Ask ask) {
  try {
    static_cast<void>(ask());
  } catch (const CallFault& fault) {
    return fault.why == kOutside;
  }
  return false;
}

class CheckedPointerTest : public ::testing::Test {
 protected:
  std::array<std::byte, 8> bytes_ = {};
  const MemoryExtent own_{std::span<std::byte>(bytes_), nullptr};
  const MemoryExtent constant_{std::span<const std::byte>(bytes_), nullptr};
  const MemoryExtent none_;
};

TEST_F(CheckedPointerTest, GivesWhatLiesInside) {
  const CheckedPointer place(own_);
  EXPECT_EQ(place.Read(8), bytes_.data());
  EXPECT_EQ((place + 4).Write(2, 2, 2), bytes_.data() + 4);
  EXPECT_EQ((place + 6).Read(2, -2, 4), bytes_.data() + 6);
  EXPECT_EQ(place.ReadRows(1, 1, 2, 3, 3), bytes_.data());
  EXPECT_EQ(((place + 100) + -99).Read(1), bytes_.data() + 1);
}

TEST_F(CheckedPointerTest, EndsTheCallForAByteOutside) {
  const CheckedPointer place(own_);
  EXPECT_TRUE(EndsOutside([&] { return place.Read(9); }));
  EXPECT_TRUE(EndsOutside([&] { return (place + 4).Read(2, 2, 3); }));
  EXPECT_TRUE(EndsOutside([&] { return (place + -1).Read(1); }));
  EXPECT_TRUE(EndsOutside([&] { return (place + 6).Read(2, -2, 5); }));
  EXPECT_TRUE(EndsOutside([&] { return place.ReadRows(1, 1, 3, 3, 3); }));
  EXPECT_TRUE(EndsOutside([&] { return place.ReadRows(1, 1, 1, -1, 2); }));
  EXPECT_TRUE(EndsOutside([&] { return place.Read(1, kFarthest, 3); }));
  EXPECT_TRUE(EndsOutside([&] { return place.ReadRows(1, 1, 1, kFarthest, 4); }));
}

TEST_F(CheckedPointerTest, ReadsConstantsAndDoesNotWriteThem) {
  const CheckedPointer place(constant_);
  EXPECT_EQ(place.Read(8), bytes_.data());
  EXPECT_TRUE(EndsOutside([&] { return place.Write(1); }));
  EXPECT_TRUE(EndsOutside([&] { return place.WriteRows(1, 1, 1, 1, 1); }));
}

// An empty tensor has no memory, and a result may be one.
TEST_F(CheckedPointerTest, GivesNoBytesOfNoMemory) {
  for (const CheckedPointer& place : {CheckedPointer(none_), CheckedPointer()}) {
    EXPECT_EQ(place.Read(4, 4, 0), nullptr);
    EXPECT_EQ(place.Write(4, 4, 0), nullptr);
    EXPECT_EQ(place.WriteRows(4, 4, 0, 4, 2), nullptr);
    EXPECT_TRUE(EndsOutside([&] { return place.Read(1); }));
    EXPECT_TRUE(EndsOutside([&] { return place.Write(1); }));
  }
}

}  // namespace
}  // namespace pteproof
