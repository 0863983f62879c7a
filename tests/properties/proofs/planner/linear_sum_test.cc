#include "properties/proofs/planner/linear_sum.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace pteproof::proofs {
namespace {

TEST(LinearSum, HasOneFormForEqualSums) {
  const LinearSum x = VariableSum(0);
  const LinearSum y = VariableSum(1);
  EXPECT_EQ(Plus(x, y), Plus(y, x));
  EXPECT_EQ(Minus(Plus(Plus(x, y), x), Times(x, 2)), y);
  EXPECT_EQ(Minus(x, x), LinearSum{});
  EXPECT_EQ(Plus(Minus(x, y), 3).constant, 3);
  EXPECT_NE(Plus(x, 1), Plus(x, 2));
  EXPECT_EQ(LinearSumHash()(Plus(x, y)), LinearSumHash()(Plus(y, x)));
}

TEST(LinearSum, HasAValueWhereItFits) {
  const LinearSum sum = Plus(Minus(Times(VariableSum(0), 3), VariableSum(1)), 10);
  EXPECT_EQ(ValueOf(sum, {5, 2}), 23);
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_THROW((void)ValueOf(sum, {most, 0}), std::overflow_error);
}

}  // namespace
}  // namespace pteproof::proofs
