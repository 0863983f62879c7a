#include "properties/checks/in_place.h"

#include <gtest/gtest.h>

#include <vector>

#include "meaning/same_elements.h"
#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

// An operand and a result of one instruction; four floats each, static and row-major at first.
class OperandAndResult : public ::testing::Test {
 protected:
  OperandAndResult() : from_(b_.Planned(1, 0, {2, 2})), to_(b_.Planned(1, 0, {2, 2})) {}

  bool Goes(bool elementwise = true) const {
    const Method method = b_.Build();
    const bool one = GoesElementByElement(method, {from_, elementwise}, to_);
    const bool other = GoesElementByElement(method, {to_, elementwise}, from_);
    EXPECT_EQ(one, other);
    return one;
  }
  void Shape(int32_t& value, std::vector<int32_t> sizes, ScalarType type = ScalarType::kFloat32) {
    value = b_.Planned(1, 0, std::move(sizes), {}, type);
  }
  void TurnAround(int32_t value) {
    auto& ints = b_.method().ints;
    const Range order = b_.TensorAt(value).dim_order;
    std::swap(ints[order.first], ints[order.first + 1]);
  }
  void SetBounded(int32_t value) { b_.TensorAt(value).dynamism = Dynamism::kBounded; }

  MethodBuilder b_;
  int32_t from_;
  int32_t to_;
};

TEST_F(OperandAndResult, GoesElementByElementWhereTheOperatorDoesAndTheShapesAreOne) {
  EXPECT_TRUE(Goes());
  EXPECT_FALSE(Goes(false));
}

TEST_F(OperandAndResult, GoesElementByElementThroughAReshape) {
  Shape(to_, {4});
  EXPECT_TRUE(Goes());
  Shape(to_, {4, 1});
  EXPECT_TRUE(Goes());
}

TEST_F(OperandAndResult, DoesNotWhereSizesDiffer) {
  Shape(to_, {2});
  EXPECT_FALSE(Goes());
  Shape(to_, {2, 4}, ScalarType::kFloat16);  // as many bytes
  EXPECT_FALSE(Goes());
}

TEST_F(OperandAndResult, DoesNotWhereTheDimensionsLieInAnotherOrder) {
  TurnAround(from_);
  EXPECT_FALSE(Goes());
  TurnAround(to_);
  EXPECT_TRUE(Goes());
  Shape(to_, {4});
  EXPECT_FALSE(Goes());
}

// Sizes that are bounds may be smaller in one of them.
TEST_F(OperandAndResult, DoesNotWhereABoundedOneMayBeRepeated) {
  SetBounded(from_);
  EXPECT_TRUE(Goes());
  Shape(to_, {4});
  EXPECT_FALSE(Goes());
  Shape(to_, {2, 1, 2});
  EXPECT_TRUE(Goes());
}

class SelfCopies : public ::testing::Test {
 protected:
  SelfCopies() : x_(b_.Planned(1, 0, {4})) { b_.Input(x_); }
  bool IsSelf() const { return IsSelfCopy(Analysed(b_).check.flow(), 0); }

  MethodBuilder b_;
  int32_t x_;
};

}  // namespace
}  // namespace pteproof::checks
