// Runs of tagged bytes, against banks that hold a tag and a position for every single byte.
#include "properties/oracles/tags/tag_runs.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace pteproof {
namespace {

using PlainBytes = std::vector<std::pair<Tag, uint64_t>>;  // tag, byte of that write

PlainBytes Plain(const TagRuns& runs) {
  PlainBytes bytes;
  for (const TagRun& run : runs) {
    for (uint64_t b = 0; b < run.count; ++b) {
      bytes.emplace_back(run.tag, run.tag == kNoTag ? 0 : run.from + b);
    }
  }
  return bytes;
}

TEST(TagRuns, JoinWhereTheyGoOn) {
  TagRuns runs = WholeOf(5, 8);
  Append({5, 8, 2}, runs);
  EXPECT_EQ(runs, WholeOf(5, 10));
  Append({5, 0, 2}, runs);
  EXPECT_EQ(runs.size(), 2U);
  EXPECT_EQ(BytesOf(runs), 12U);
}

TEST(TagRuns, PartsThatNothingWroteHaveNoTag) {
  const TagRuns part = PartOf(WholeOf(3, 4), 2, 5);
  EXPECT_EQ(part, (TagRuns{{3, 2, 2}, {kNoTag, 0, 3}}));
}

TEST(TagRuns, DifferAtTheFirstByteFromElsewhere) {
  const TagRuns wanted = WholeOf(7, 8);
  EXPECT_FALSE(DifferenceOf(wanted, TagRuns{{7, 0, 3}, {7, 3, 5}}).has_value());
  const auto other = DifferenceOf(wanted, TagRuns{{7, 0, 3}, {9, 0, 5}});
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->at, 3U);
  EXPECT_EQ(other->got.tag, 9U);
  // The right write, and another byte of it.
  EXPECT_EQ(DifferenceOf(wanted, TagRuns{{7, 4, 8}})->at, 0U);
  // Bytes that nothing has written agree with nothing.
  EXPECT_TRUE(DifferenceOf(TagRuns{{kNoTag, 0, 1}}, TagRuns{{kNoTag, 0, 1}}).has_value());
}

TEST(TaggedBank, HoldsWhatAPlainArrayHolds) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    TaggedBank bank;
    PlainBytes plain(40);
    for (Tag tag = 1; tag < 20; ++tag) {
      const uint64_t first = random() % 36;
      const TagRuns runs = PartOf(WholeOf(tag, 6), random() % 4, 1 + random() % 4);
      bank.Write(first, runs);
      const PlainBytes written = Plain(runs);
      for (size_t b = 0; b < written.size() && first + b < plain.size(); ++b) {
        plain[first + b] = written[b];
      }
      const uint64_t from = random() % 20;
      const uint64_t count = random() % 20;
      const PlainBytes expected(plain.begin() + static_cast<std::ptrdiff_t>(from),
                                plain.begin() + static_cast<std::ptrdiff_t>(from + count));
      ASSERT_EQ(Plain(bank.Read(from, count)), expected) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace pteproof
