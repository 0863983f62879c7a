#include "reference/graph/bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/graph/parse.h"

namespace pteproof::graph {
namespace {

using testing::ElementsAre;

// Dim n from 1 to 8, exported at 3; k from 0 to 5, without a hint.
Method Sized() {
  auto module = Parse(R"(method m(%x: float32[n, k]) dims(n in 1..8 hint 3, k in 0..5) {
    %0: float32[k, n] = aten::t_copy.out(%x)
    %1: float32[n, 2*k] = aten::cat.out([%x, %x], 1)
    return %0, %1
  })");
  EXPECT_TRUE(module.ok()) << module.error().message;
  return module.ok() ? module.value().methods.front() : Method{};
}

TEST(UpperBound, IsTheSizeAtTheLargestDims) {
  const Method m = Sized();
  EXPECT_THAT(UpperBoundOf(*TensorTypeOf(m, 1), m), ElementsAre(5, 8));
  EXPECT_THAT(UpperBoundOf(*TensorTypeOf(m, 2), m), ElementsAre(8, 10));
}

// The larger n is, the smaller n's distance from 9.
TEST(UpperBound, IsTakenOverTheRangeNotAtItsEnd) {
  const Method m = Sized();
  const TensorType type{ScalarType::kFloat32, {SizeExpr(9) - SizeExpr::Symbol(0)}};
  EXPECT_THAT(UpperBoundOf(type, m), ElementsAre(8));
}

TEST(Decided, LeavesOutWhatTheRangesDecide) {
  const std::vector<SizeRange> ranges = RangesOf(Sized());
  const SizeExpr n = SizeExpr::Symbol(0);
  const SizeExpr k = SizeExpr::Symbol(1);
  EXPECT_EQ(Decided(Max(0, n) + 2 * Min(n, 1), ranges), n + 2);
  EXPECT_EQ(Decided(Min(n, 8), ranges), n);
  EXPECT_EQ(Decided(Min(n, 7), ranges), Min(n, 7));  // n may be 8
  EXPECT_EQ(Decided(Max(n, k), ranges), Max(n, k));
  EXPECT_EQ(Decided(Mod(Max(0, n), FloorDiv(k, Min(n, 1))), ranges), Mod(n, k));
}

TEST(SameType, IsToldWithinTheRanges) {
  const Method m = Sized();
  const auto of = [](SizeExpr size, ScalarType dtype = ScalarType::kFloat32) {
    return ValueType(TensorType{dtype, {std::move(size)}});
  };
  const SizeExpr n = SizeExpr::Symbol(0);
  const SizeExpr k = SizeExpr::Symbol(1);
  EXPECT_TRUE(SameType(of(Max(1, n)), of(n), m));
  EXPECT_FALSE(SameType(of(Max(1, k)), of(k), m));  // k may be 0
  EXPECT_FALSE(SameType(of(Max(1, n)), of(n, ScalarType::kInt64), m));
  EXPECT_FALSE(SameType(of(n), ValueType(NumberType::kInt), m));
}

TEST(SizesAtHints, AreThoseOfTheExample) {
  const Method m = Sized();
  EXPECT_THAT(SizesAtHints(*TensorTypeOf(m, 1), m), ElementsAre(5, 3));
  EXPECT_THAT(SizesAtHints(*TensorTypeOf(m, 2), m), ElementsAre(3, 10));
}

}  // namespace
}  // namespace pteproof::graph
