// Each fix that is chosen by what the export did already, by situation. A fix never says what the
// file shows to be done.
#include <gtest/gtest.h>

#include "properties/rules/fix_words.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using checks::FixOf;

TEST(FixesBySituation, OfABufferThatAReaderHoldsAsAConstant) {
  EXPECT_EQ(FixOf(checks::ReadOnlyCopy{.has_writer = false}),
            "Export the method that stores to the buffer in the same program.");
  EXPECT_EQ(FixOf(checks::ReadOnlyCopy{}),
            "Export the methods together, with the buffer in planned memory in all of them "
            "(`share_mutable_buffers=True`).");
  EXPECT_EQ(FixOf(checks::ReadOnlyCopy{.is_planned_there = true}),
            "Plan the methods with `share_mutable_buffers=True`: else a method that only reads the "
            "buffer holds it as a constant.");
  EXPECT_EQ(
      FixOf(checks::ReadOnlyCopy{.is_planned_there = true, .is_for_sharing = true}),
      "Keep the buffer out of constant folding and of delegates in the method that reads it.");
}

TEST(FixesBySituation, OfABufferWithAnotherLayout) {
  EXPECT_EQ(FixOf(checks::OtherLayout{.has_other_type = true}),
            "Give the buffer one type and size in all methods.");
  EXPECT_EQ(FixOf(checks::OtherLayout{}),
            "Plan all methods with one pass object and `share_mutable_buffers=True`.");
  EXPECT_EQ(FixOf(checks::OtherLayout{.is_for_sharing = true}),
            "Plan all methods with one pass object: each was planned for sharing on its own.");
}

TEST(FixesBySituation, OfStateThatAnotherMethodWritesOver) {
  EXPECT_EQ(checks::FixOfClobbered("inc", "other", false),
            "Give state a bank of its own: plan all methods with `share_mutable_buffers=True`.");
  EXPECT_EQ(checks::FixOfClobbered("inc", "other", true),
            "The bank is for state in 'inc': plan 'other' with the same pass object, in one "
            "export.");
}

TEST(FixesBySituation, OfAFirstValueThatTheFileDoesNotHold) {
  EXPECT_EQ(checks::FixOfUnstored("", ""),
            "Export the initial value with `InitializedMutableBufferPass`.");
  EXPECT_EQ(checks::FixOfUnstored("level", ""),
            "Export the initial value: name 'level' in `InitializedMutableBufferPass`.");
  EXPECT_EQ(checks::FixOfUnstored("level", "put"),
            "Export the initial value: name 'level' in `InitializedMutableBufferPass`, for this "
            "method as for 'put', or load 'put' first.");
}

// Programs in which each situation of a constant in the reader shows.

}  // namespace
}  // namespace pteproof
