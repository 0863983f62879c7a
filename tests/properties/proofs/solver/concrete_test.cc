#include "properties/proofs/solver/concrete.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace pteproof::proofs {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

const SizeExpr kX = SizeExpr::Symbol(0);
const SizeExpr kY = SizeExpr::Symbol(1);

std::optional<bool> HoldsAt(const Clause& clause, int64_t at_n, int64_t at_m) {
  return Holds(clause, std::to_array<int64_t>({at_n, at_m}));
}

TEST(ConcreteClause, HoldsWhereOneComparisonDoes) {
  const Clause clause = {{kX, Relation::kLess, kY}, {kX, Relation::kEqual, SizeExpr(7)}};
  EXPECT_EQ(HoldsAt(clause, 1, 2), true);
  EXPECT_EQ(HoldsAt(clause, 7, 2), true);
  EXPECT_EQ(HoldsAt(clause, 2, 2), false);
  EXPECT_EQ(HoldsAt({{kX, Relation::kLessEqual, kY}}, 2, 2), true);
}

TEST(ConcreteClause, NeverHoldsWhenItIsEmpty) {
  EXPECT_EQ(HoldsAt({}, 0, 0), false);
}

TEST(ConcreteClause, DividesDownAndByZeroGivesZero) {
  const auto is = [&](const SizeExpr& expr, int64_t value) {
    return Clause{{expr, Relation::kEqual, SizeExpr(value)}};
  };
  EXPECT_EQ(HoldsAt(is(FloorDiv(kX, kY), -4), -7, 2), true);
  EXPECT_EQ(HoldsAt(is(FloorDiv(kX, kY), -4), 7, -2), true);
  EXPECT_EQ(HoldsAt(is(FloorDiv(kX, kY), 0), 7, 0), true);
  EXPECT_EQ(HoldsAt(is(FloorDiv(kX, kY), 7), -7, -1), true);
  EXPECT_EQ(HoldsAt(is(Mod(kX, kY), 1), -7, 2), true);
  EXPECT_EQ(HoldsAt(is(Mod(kX, kY), -1), 7, -2), true);
  EXPECT_EQ(HoldsAt(is(Mod(kX, kY), 0), 7, 0), true);
  EXPECT_EQ(HoldsAt(is(Min(kX, kY) + Max(kX, kY), 9), 7, 2), true);
}

TEST(ConcreteClause, ComputesBeyond64Bits) {
  EXPECT_EQ(HoldsAt({{kX * kY, Relation::kLessEqual, SizeExpr(kMost)}}, kMost, 2), false);
  EXPECT_EQ(HoldsAt({{kX * kY - kY, Relation::kLess, kX * kY}}, kMost, kMost), true);
}

TEST(ConcreteClause, SaysNothingWhere128BitsDoNotHoldAValue) {
  const Clause huge = {{kX * kX * kX, Relation::kLess, SizeExpr(0)}};
  EXPECT_EQ(HoldsAt(huge, kMost, 0), std::nullopt);
  EXPECT_EQ(HoldsAt({huge[0], {kY, Relation::kEqual, SizeExpr(0)}}, kMost, 0), true);
}

TEST(ConcreteClause, SaysNothingOfASymbolWithoutAValue) {
  EXPECT_EQ(HoldsAt({{SizeExpr::Symbol(2), Relation::kEqual, kX}}, 0, 0), std::nullopt);
}

}  // namespace
}  // namespace pteproof::proofs
