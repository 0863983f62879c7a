#include "properties/proofs/solver/concrete.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace pteproof::proofs {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

const SizeExpr n = SizeExpr::Symbol(0);
const SizeExpr m = SizeExpr::Symbol(1);

std::optional<bool> HoldsAt(const Clause& clause, int64_t at_n, int64_t at_m) {
  return Holds(clause, std::to_array<int64_t>({at_n, at_m}));
}

TEST(ConcreteClause, HoldsWhereOneComparisonDoes) {
  const Clause clause = {{n, Relation::kLess, m}, {n, Relation::kEqual, SizeExpr(7)}};
  EXPECT_EQ(HoldsAt(clause, 1, 2), true);
  EXPECT_EQ(HoldsAt(clause, 7, 2), true);
  EXPECT_EQ(HoldsAt(clause, 2, 2), false);
  EXPECT_EQ(HoldsAt({{n, Relation::kLessEqual, m}}, 2, 2), true);
}

TEST(ConcreteClause, NeverHoldsWhenItIsEmpty) {
  EXPECT_EQ(HoldsAt({}, 0, 0), false);
}

TEST(ConcreteClause, DividesDownAndByZeroGivesZero) {
  const auto is = [&](const SizeExpr& expr, int64_t value) {
    return Clause{{expr, Relation::kEqual, SizeExpr(value)}};
  };
  EXPECT_EQ(HoldsAt(is(FloorDiv(n, m), -4), -7, 2), true);
  EXPECT_EQ(HoldsAt(is(FloorDiv(n, m), -4), 7, -2), true);
  EXPECT_EQ(HoldsAt(is(FloorDiv(n, m), 0), 7, 0), true);
  EXPECT_EQ(HoldsAt(is(FloorDiv(n, m), 7), -7, -1), true);
  EXPECT_EQ(HoldsAt(is(Mod(n, m), 1), -7, 2), true);
  EXPECT_EQ(HoldsAt(is(Mod(n, m), -1), 7, -2), true);
  EXPECT_EQ(HoldsAt(is(Mod(n, m), 0), 7, 0), true);
  EXPECT_EQ(HoldsAt(is(Min(n, m) + Max(n, m), 9), 7, 2), true);
}

TEST(ConcreteClause, ComputesBeyond64Bits) {
  EXPECT_EQ(HoldsAt({{n * m, Relation::kLessEqual, SizeExpr(kMost)}}, kMost, 2), false);
  EXPECT_EQ(HoldsAt({{n * m - m, Relation::kLess, n * m}}, kMost, kMost), true);
}

TEST(ConcreteClause, SaysNothingWhere128BitsDoNotHoldAValue) {
  const Clause huge = {{n * n * n, Relation::kLess, SizeExpr(0)}};
  EXPECT_EQ(HoldsAt(huge, kMost, 0), std::nullopt);
  EXPECT_EQ(HoldsAt({huge[0], {m, Relation::kEqual, SizeExpr(0)}}, kMost, 0), true);
}

TEST(ConcreteClause, SaysNothingOfASymbolWithoutAValue) {
  EXPECT_EQ(HoldsAt({{SizeExpr::Symbol(2), Relation::kEqual, n}}, 0, 0), std::nullopt);
}

}  // namespace
}  // namespace pteproof::proofs
