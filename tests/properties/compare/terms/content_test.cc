// Contents are canonical: equal bytes give equal lists, however they were put together.
#include "properties/compare/terms/content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "properties/compare/terms/term_table.h"

namespace pteproof::compare {
namespace {

std::vector<ByteOf> BytesIn(const Content& content) {
  std::vector<ByteOf> bytes;
  for (uint64_t at = 0; at < content.bytes(); ++at) bytes.push_back(content.At(at));
  return bytes;
}

// Bytes of a few terms that often go on, or repeat.
std::vector<ByteOf> RandomBytes(std::mt19937& random) {
  std::vector<ByteOf> bytes;
  const size_t pieces = random() % 12;
  for (size_t p = 0; p < pieces; ++p) {
    const auto term = static_cast<TermId>(random() % 3);
    const uint64_t first = random() % 8;
    const uint64_t size = 1 + random() % 4;
    const uint64_t stride = random() % 6;
    const uint64_t count = 1 + random() % 4;
    for (uint64_t k = 0; k < count; ++k) {
      for (uint64_t b = 0; b < size; ++b) {
        bytes.push_back(term == kZeroTerm ? ByteOf{} : ByteOf{term, first + k * stride + b});
      }
    }
  }
  return bytes;
}

TEST(ContentRuns, AreEqualHoweverBytesAreCut) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<ByteOf> bytes = RandomBytes(random);
    ContentBuilder one_by_one;
    for (const ByteOf& byte : bytes) one_by_one.Add(byte.term, byte.at, 1);
    const Content whole(one_by_one.Take());
    ASSERT_EQ(BytesIn(whole), bytes);
    // The same bytes, read in random parts.
    ContentBuilder in_parts;
    for (uint64_t at = 0; at < bytes.size();) {
      const uint64_t count = 1 + random() % (bytes.size() - at);
      whole.Read(at, count, in_parts);
      at += count;
    }
    const Content parts(in_parts.Take());
    EXPECT_TRUE(std::ranges::equal(parts.runs(), whole.runs())) << "round " << round;
  }
}

TEST(ContentRuns, ArePickedPieceByPiece) {
  std::mt19937 random(2);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<ByteOf> bytes = RandomBytes(random);
    if (bytes.empty()) continue;
    ContentBuilder builder;
    for (const ByteOf& byte : bytes) builder.Add(byte.term, byte.at, 1);
    const Content whole(builder.Take());
    const uint64_t size = 1 + random() % std::min<uint64_t>(bytes.size(), 4);
    const uint64_t stride = random() % 6;
    const uint64_t room = bytes.size() - size;
    const uint64_t first = random() % (room + 1);
    const uint64_t most = stride == 0 ? 5 : (room - first) / stride + 1;
    const uint64_t count = 1 + random() % most;
    std::vector<ByteOf> wanted;
    ContentBuilder one_by_one;
    for (uint64_t k = 0; k < count; ++k) {
      for (uint64_t b = 0; b < size; ++b) {
        wanted.push_back(bytes[first + k * stride + b]);
        one_by_one.Add(wanted.back().term, wanted.back().at, 1);
      }
    }
    ContentBuilder picked;
    whole.ReadPieces(first, static_cast<int64_t>(stride), size, count, picked);
    const Content got(picked.Take());
    ASSERT_EQ(BytesIn(got), wanted) << "round " << round;
    EXPECT_TRUE(std::ranges::equal(got.runs(), one_by_one.runs())) << "round " << round;
  }
}

TEST(ContentRuns, KeepATransposedMatrixShort) {
  ContentBuilder builder;
  for (uint64_t column = 0; column < 100; ++column) builder.Add({1, column * 4, 400, 4, 100});
  EXPECT_EQ(builder.runs().size(), 100U);
}

TEST(TermTableConstants, AreOneTermIfAllBytesAreEqual) {
  TermTable table;
  const std::vector<std::byte> a(100'000, std::byte{1});
  const std::vector<std::byte> b = a;
  std::vector<std::byte> c = a;
  c[54'321] = std::byte{2};
  EXPECT_EQ(table.Constant(a), table.Constant(b));
  EXPECT_NE(table.Constant(a), table.Constant(c));
  EXPECT_EQ(table.Constant(std::vector<std::byte>(8)), kZeroTerm);
}

}  // namespace
}  // namespace pteproof::compare
