#include "properties/proofs/planner/path_explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "planner/placement/arithmetic.h"

namespace pteproof::proofs {
namespace {

constexpr double kExploreSeconds = 60;

PathGoal AtMostGoal(const SymbolicInt& a, const SymbolicInt& b) {
  return {"at most", {{Minus(a.sum, b.sum), SumSign::kAtMostZero}}};
}

TEST(PathExplorer, TakesEveryWayOnce) {
  PathExplorer path(kExploreSeconds);
  const PathReport report = path.Explore([&] {
    std::vector<SymbolicInt> numbers;
    for (int i = 0; i < 4; ++i) numbers.push_back(path.Variable(0));
    std::sort(numbers.begin(), numbers.end());
    for (size_t i = 0; i + 1 < numbers.size(); ++i) {
      path.Require({AtMostGoal(numbers[i], numbers[i + 1])});
    }
  });
  EXPECT_EQ(report.answer, Answer::kProved);
  EXPECT_EQ(report.paths, 24);
}

TEST(PathExplorer, FindsTheWayThatBreaksAGoal) {
  PathExplorer path(kExploreSeconds);
  SymbolicInt a;
  SymbolicInt b;
  const PathReport report = path.Explore([&] {
    a = path.Variable(0);
    b = path.Variable(5);
    const SymbolicInt larger = b < a + 7 ? a + 7 : b;
    path.Require({AtMostGoal(larger, b + 6)});
  });
  ASSERT_EQ(report.answer, Answer::kRefuted);
  EXPECT_EQ(report.property, "at most");
  const int64_t x = ValueOf(a.sum, report.values);
  const int64_t y = ValueOf(b.sum, report.values);
  EXPECT_GE(x, 0);
  EXPECT_GE(y, 5);
  EXPECT_GT(std::max(x + 7, y), y + 6);
}

TEST(PathExplorer, AsksNothingOfConstants) {
  PathExplorer path(kExploreSeconds);
  const PathReport report = path.Explore([&] {
    EXPECT_TRUE(SymbolicInt(3) < SymbolicInt(4));
    EXPECT_TRUE(path.Variable(1) - 1 < SymbolicInt(0) == false);
    EXPECT_TRUE(AlignUp(SymbolicInt(17), SymbolicInt(16)) == SymbolicInt(32));
  });
  EXPECT_EQ(report.answer, Answer::kProved);
  EXPECT_EQ(report.queries, 0);
}

TEST(PathExplorer, IsCutWhereTimeEnds) {
  PathExplorer path(0);
  const PathReport report = path.Explore([&] { (void)(path.Variable(0) < path.Variable(0)); });
  EXPECT_EQ(report.answer, Answer::kUnknown);
  EXPECT_EQ(report.why, "the time limit");
}

TEST(PathExplorer, ForgetsOneExplorationBeforeTheNext) {
  PathExplorer path(kExploreSeconds);
  const auto refute = [&](int64_t least) {
    return path.Explore([&, least] {
      const SymbolicInt x = path.Variable(least);
      if (x < SymbolicInt(least + 3)) path.Require({AtMostGoal(x, least + 1)});
    });
  };
  EXPECT_EQ(refute(100).values, std::vector<int64_t>{102});
  EXPECT_EQ(refute(0).values, std::vector<int64_t>{2});
}

// Rounding with a constant alignment is exact; else it is what every alignment's rounding is.
TEST(RoundUp, IsExactForConstants) {
  PathExplorer path(kExploreSeconds);
  const PathReport report = path.Explore([&] {
    const SymbolicInt x = path.Variable(0);
    const SymbolicInt up = AlignUp(x, 16);
    path.Require({AtMostGoal(x, up), AtMostGoal(up, x + 15)});
    path.Require(
        {AtMostGoal(AlignUp(up + 1, 16), up + 16), AtMostGoal(up + 16, AlignUp(up + 1, 16))});
    path.Require({AtMostGoal(AlignUp(x + 32, 16), up + 32)});
  });
  EXPECT_EQ(report.answer, Answer::kProved);
}

TEST(RoundUp, IsNotExactForAnyAlignmentAndSaysSo) {
  const auto holds = [](const SymbolicInt* alignment) {
    PathExplorer path(kExploreSeconds);
    return path
        .Explore([&] {
          const SymbolicInt unit = alignment != nullptr ? *alignment : path.Variable(1);
          const SymbolicInt x = path.Variable(0);
          const SymbolicInt y = path.Variable(0);
          path.Require({AtMostGoal(AlignUp(x + y, unit), AlignUp(x, unit) + AlignUp(y, unit))});
        })
        .answer;
  };
  const SymbolicInt sixteen = 16;
  EXPECT_EQ(holds(&sixteen), Answer::kProved);
  EXPECT_EQ(holds(nullptr), Answer::kRefuted);
}

TEST(RoundUp, KeepsMultiplesForAnyAlignment) {
  PathExplorer path(kExploreSeconds);
  const PathReport report = path.Explore([&] {
    const SymbolicInt unit = path.Variable(1);
    const SymbolicInt multiple = path.MultipleOf(unit);
    const SymbolicInt x = path.Variable(0);
    EXPECT_EQ(AlignUp(multiple, unit).sum, multiple.sum);
    EXPECT_EQ(AlignUp(multiple + x, unit).sum, (multiple + AlignUp(x, unit)).sum);
    EXPECT_EQ(AlignUp(AlignUp(x, unit), unit).sum, AlignUp(x, unit).sum);
  });
  EXPECT_EQ(report.answer, Answer::kProved);
}

TEST(RoundUp, IsTheLeastMultipleForAnyAlignment) {
  PathExplorer path(kExploreSeconds);
  const PathReport report = path.Explore([&] {
    const SymbolicInt unit = path.Variable(1);
    const SymbolicInt multiple = path.MultipleOf(unit);
    const SymbolicInt x = path.Variable(0);
    const SymbolicInt y = path.Variable(0);
    const SymbolicInt up = AlignUp(x, unit);  // before it is known where x lies
    const bool below = x <= multiple;
    path.Require({below ? AtMostGoal(up, multiple) : AtMostGoal(multiple + unit, up)});
    if (y <= multiple) {
      path.Require({AtMostGoal(AlignUp(y, unit), multiple)});
    } else {
      path.Require({AtMostGoal(multiple + unit, AlignUp(y, unit))});
    }
  });
  EXPECT_EQ(report.answer, Answer::kProved);
}

}  // namespace
}  // namespace pteproof::proofs
