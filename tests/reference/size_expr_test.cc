#include "reference/size_expr.h"

#include <gtest/gtest.h>

#include <limits>

namespace pteproof {
namespace {

const std::vector<std::string> kNames = {"n", "m"};
const SizeExpr kN = SizeExpr::Symbol(0);
const SizeExpr kM = SizeExpr::Symbol(1);

TEST(SizeExpr, CollectsEqualTerms) {
  EXPECT_EQ(kN + kN, SizeExpr(2) * kN);
  EXPECT_EQ(kN * kM, kM * kN);
  EXPECT_EQ(kN - kN, SizeExpr(0));
  EXPECT_EQ((kN + 1) * (kN - 1), kN * kN - 1);
}

TEST(SizeExpr, IsANumberOnlyWhenNoDimIsLeft) {
  EXPECT_EQ((kN - kN + 3).Constant(), 3);
  EXPECT_EQ((kN + 3).Constant(), std::nullopt);
}

TEST(SizeExpr, EvaluatesAtGivenDims) {
  const std::vector<int64_t> dims = {5, 2};
  EXPECT_EQ((SizeExpr(2) * kN * kM + 1).At(dims), 21);
  EXPECT_EQ(FloorDiv(kN, 2).At(dims), 2);
  EXPECT_EQ(Mod(kN, 3).At(dims), 2);
  EXPECT_EQ(Min(kN, kM).At(dims), 2);
  EXPECT_EQ(Max(kN, kM).At(dims), 5);
  EXPECT_EQ(CeilDiv(kN, 2).At(dims), 3);
}

TEST(SizeExpr, DividesExactlyWhereItCan) {
  EXPECT_EQ(FloorDiv(SizeExpr(4) * kN, 2), SizeExpr(2) * kN);
  EXPECT_EQ(FloorDiv(kN * kM * 6, kM * 2), kN * 3);
  EXPECT_EQ(Mod(SizeExpr(4) * kN, 2), SizeExpr(0));
  EXPECT_EQ(FloorDiv(kN + 1, 2).Constant(), std::nullopt);
}

TEST(SizeExpr, RoundsQuotientsDown) {
  EXPECT_EQ(FloorDiv(SizeExpr(-7), SizeExpr(2)), SizeExpr(-4));
  EXPECT_EQ(Mod(SizeExpr(-7), SizeExpr(3)), SizeExpr(2));
  EXPECT_EQ(Mod(SizeExpr(7), SizeExpr(-3)), SizeExpr(-2));
}

TEST(SizeExpr, GivesZeroForADivisionByZero) {
  EXPECT_EQ(FloorDiv(SizeExpr(7), SizeExpr(0)), SizeExpr(0));
  EXPECT_EQ(Mod(SizeExpr(7), SizeExpr(0)), SizeExpr(0));
}

TEST(SizeExpr, KnowsTheLargerOfTwoThatDifferByANumber) {
  EXPECT_EQ(Max(kN, kN + 2), kN + 2);
  EXPECT_EQ(Min(kN, kN + 2), kN);
}

TEST(SizeExpr, HasARangeOverItsDims) {
  const std::vector<SizeRange> ranges = {{1, 4}, {0, 3}};
  EXPECT_EQ((SizeExpr(2) * kN + 1).Over(ranges), (SizeRange{3, 9}));
  EXPECT_EQ((kN * kM).Over(ranges), (SizeRange{0, 12}));
  EXPECT_EQ((SizeExpr(5) - kN).Over(ranges), (SizeRange{1, 4}));
  EXPECT_EQ(FloorDiv(kN, 2).Over(ranges), (SizeRange{0, 2}));
  EXPECT_EQ(Max(kN, kM).Over(ranges), (SizeRange{1, 4}));
}

TEST(SizeExpr, SaturatesInsteadOfWrapping) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ((SizeExpr(most) + 1).Constant(), most);
  EXPECT_EQ((SizeExpr(most) * -2).Constant(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ((kN * kN).At(std::vector<int64_t>{most}), most);
}

TEST(SizeExpr, PrintsAsPeopleWriteIt) {
  EXPECT_EQ((SizeExpr(2) * kN + 1).ToText(kNames), "2*n + 1");
  EXPECT_EQ((kM - kN).ToText(kNames), "-n + m");
  EXPECT_EQ((kN * kM - 3).ToText(kNames), "n*m - 3");
  EXPECT_EQ(FloorDiv(kN + 1, 2).ToText(kNames), "floordiv(n + 1, 2)");
  EXPECT_EQ(SizeExpr(7).ToText(kNames), "7");
}

TEST(Product, OfNothingIsOne) {
  EXPECT_EQ(Product({}), SizeExpr(1));
}

}  // namespace
}  // namespace pteproof
