#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "pteproof/datum.h"

namespace pteproof {
namespace {

using testing::ElementsAre;

const std::vector<std::byte> kThree = {std::byte{1}, std::byte{2}, std::byte{3}};

TEST(TensorBytes, AreThoseOfTheVector) {
  const TensorBytes bytes = kThree;
  EXPECT_EQ(bytes.size(), 3U);
  EXPECT_EQ(bytes, kThree);
  EXPECT_FALSE(bytes.is_view());
  EXPECT_TRUE(TensorBytes().empty());
}

TEST(TensorBytes, CopiesShareMemoryUntilOneIsWrittenTo) {
  const TensorBytes first = kThree;
  TensorBytes second = first;
  EXPECT_EQ(std::as_const(second).data(), first.data());
  second[1] = std::byte{9};
  EXPECT_THAT(second, ElementsAre(std::byte{1}, std::byte{9}, std::byte{3}));
  EXPECT_EQ(first, kThree);
}

TEST(TensorBytes, MemoryThatNoCopySharesIsWrittenInPlace) {
  TensorBytes bytes = kThree;
  const std::byte* before = std::as_const(bytes).data();
  {
    const TensorBytes copy = bytes;
  }
  bytes.front() = std::byte{7};
  EXPECT_EQ(std::as_const(bytes).data(), before);
}

TEST(TensorBytes, AViewIsReadInPlaceAndNeverWrittenTo) {
  const std::vector<std::byte> elsewhere = kThree;
  TensorBytes view = TensorBytes::ViewOf(elsewhere);
  EXPECT_TRUE(view.is_view());
  EXPECT_EQ(std::as_const(view).data(), elsewhere.data());
  view.pop_back();
  EXPECT_FALSE(view.is_view());
  EXPECT_THAT(view, ElementsAre(std::byte{1}, std::byte{2}));
  EXPECT_EQ(elsewhere, kThree);
}

TEST(TensorBytes, EqualBytesAreEqualWhoseverTheyAre) {
  EXPECT_EQ(TensorBytes::ViewOf(kThree), TensorBytes(kThree));
  EXPECT_NE(TensorBytes::ViewOf(kThree), TensorBytes(std::vector<std::byte>(3)));
}

}  // namespace
}  // namespace pteproof
