// Unified diffs, as GNU diff writes them.
#include "cli/patch/unified_diff.h"

#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

const std::string kTen = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

TEST(UnifiedDiff, OfNoEditIsEmpty) {
  EXPECT_EQ(UnifiedDiff("m.py", kTen, {}), "");
}

TEST(UnifiedDiff, HasThreeLinesOfContext) {
  EXPECT_EQ(UnifiedDiff("m.py", kTen, {{4, {.replaced = "five", .added = {}}}}),
            "--- m.py\n+++ m.py\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(UnifiedDiff("m.py", kTen, {{0, {.replaced = {}, .added = {"new"}}}}),
            "--- m.py\n+++ m.py\n@@ -1,4 +1,5 @@\n 1\n+new\n 2\n 3\n 4\n");
}

TEST(UnifiedDiff, HasOneHunkForEditsWhoseContextMeets) {
  const LineEdits near = {{2, {.replaced = "three", .added = {}}},
                          {8, {.replaced = {}, .added = {"new"}}}};
  EXPECT_EQ(UnifiedDiff("m.py", kTen, near),
            "--- m.py\n+++ m.py\n@@ -1,10 +1,11 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n 7\n 8\n 9\n"
            "+new\n 10\n");
}

TEST(UnifiedDiff, ShiftsLaterHunksByTheLinesThatWereAdded) {
  const LineEdits far = {{0, {.replaced = {}, .added = {"a", "b"}}},
                         {9, {.replaced = "ten", .added = {}}}};
  EXPECT_EQ(UnifiedDiff("m.py", kTen, far),
            "--- m.py\n+++ m.py\n@@ -1,4 +1,6 @@\n 1\n+a\n+b\n 2\n 3\n 4\n"
            "@@ -7,4 +9,4 @@\n 7\n 8\n 9\n-10\n+ten\n");
}

TEST(UnifiedDiff, SaysThatTheLastLineHasNoEnd) {
  EXPECT_EQ(UnifiedDiff("m.py", "1\n2", {{1, {.replaced = "two", .added = {}}}}),
            "--- m.py\n+++ m.py\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+two\n"
            "\\ No newline at end of file\n");
  EXPECT_EQ(UnifiedDiff("m.py", "1\n2", {{1, {.replaced = {}, .added = {"3"}}}}),
            "--- m.py\n+++ m.py\n@@ -1,2 +1,3 @@\n 1\n-2\n\\ No newline at end of file\n+2\n+3\n"
            "\\ No newline at end of file\n");
}

}  // namespace
}  // namespace pteproof
