#include "fuzz/mutate/mutate_bytes.h"

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pteproof {
namespace {

using fuzz::Buffer;
using fuzz::Random;

Bytes BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string StringOf(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

TEST(MutateRecords, DropsRepeatsSwapsAndReplacesWholeRecords) {
  std::map<std::string, int> seen;
  std::map<size_t, int> sizes;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const std::string out = StringOf(fuzz::MutateRecords(BytesOf("AAABBBCCC-"), random, 100, 3));
    EXPECT_EQ(out.size() % 3, 1U);
    EXPECT_EQ(out.back(), '-');
    ++seen[out];
    ++sizes[out.size()];
  }
  EXPECT_GT(seen["AAACCC-"], 0);
  EXPECT_GT(seen["AAAAAABBBCCC-"], 0);
  EXPECT_GT(seen["CCCBBBAAA-"], 0);
  EXPECT_GT(sizes[7], 50);
  EXPECT_GT(sizes[10], 100);
  EXPECT_GT(sizes[13], 100);
}

TEST(CrossBytes, CutsBothAtWholeRecords) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    ++seen[StringOf(fuzz::CrossBytes(BytesOf("aabb"), BytesOf("ccdd"), random, 100, 2))];
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_GT(seen["aadd"], 0);
  EXPECT_GT(seen["aabbccdd"], 0);
}

TEST(SimpleByteMutator, ChangesSizeAndContent) {
  const fuzz::ByteMutator bytes = fuzz::SimpleByteMutator(1);
  std::map<size_t, int> sizes;
  for (int i = 0; i < 500; ++i) ++sizes[fuzz::MutateBytes(BytesOf("0123456789"), 20, bytes).size()];
  EXPECT_GT(sizes[10], 100);
  EXPECT_GT(sizes[20], 0);
  EXPECT_GT(sizes[9], 0);
  EXPECT_EQ(sizes.rbegin()->first, 20U);
}

}  // namespace
}  // namespace pteproof
