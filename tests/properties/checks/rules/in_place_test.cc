#include "properties/checks/rules/in_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rule_names.h"
#include "properties/checks/flow/same_elements.h"
#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

TEST_F(SelfCopies, AreCopiesOfOneValueOrOfOnePlace) {
  b_.Copy(x_, x_);
  EXPECT_TRUE(IsSelf());
}

TEST_F(SelfCopies, AreCopiesOfOnePlaceElementByElement) {
  b_.Copy(x_, b_.Planned(1, 0, {2, 2}));
  EXPECT_TRUE(IsSelf());
}

TEST_F(SelfCopies, AreNoCopiesFromElsewhere) {
  b_.Copy(x_, b_.Planned(1, 16, {4}));
  EXPECT_FALSE(IsSelf());
}

TEST_F(SelfCopies, AreNoCopiesOfAnotherType) {
  b_.Copy(x_, b_.Planned(1, 0, {8}, {}, ScalarType::kFloat16));
  EXPECT_FALSE(IsSelf());
}

TEST_F(SelfCopies, AreNoCopiesBetweenPiecesOfTheCallersMemory) {
  b_.Copy(b_.Unplanned({4}), b_.Unplanned({4}));
  EXPECT_FALSE(IsSelf());
}

TEST_F(SelfCopies, AreNoOtherInstructions) {
  b_.Mul(x_, x_, x_);
  EXPECT_FALSE(IsSelf());
  MethodBuilder moves;
  const int32_t v = moves.Planned(1, 0, {4});
  moves.Move(v, v);
  EXPECT_FALSE(IsSelfCopy(Analysed(moves).check.flow(), 0));
}

std::vector<std::string> RulesIn(const MethodBuilder& b) {
  const Analysed a(b);
  std::vector<std::string> rules;
  for (const Finding& finding : CheckOperands(a.check.flow(), a.check.walk.moved)) {
    rules.emplace_back(finding.rule);
  }
  return rules;
}

// What a branch cannot reach is not looked at.
TEST(OperandsOfMethod, AreLookedAtInCodeThatCanRun) {
  for (const bool reachable : {true, false}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    b.Input(x);
    const int32_t flag = b.Unplanned({}, ScalarType::kBool);
    b.Input(flag);
    b.JumpFalse(reachable ? flag : b.Bool(false), 2);
    b.Flip(x, b.Planned(1, 0, {4}));
    b.Mul(x, x, b.Planned(1, 64, {4}));
    EXPECT_THAT(RulesIn(b), SizeIs(reachable ? 1 : 0));
  }
}

TEST(OperandsOfMethod, AreToldOnceForEachPairThatMeets) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 8, {4});
  b.Input(y);
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("aten::cat.out", {b.TensorList({x, y, x}), b.Int(0), out, out});
  EXPECT_THAT(RulesIn(b), ElementsAre(rule::kInPlaceAlias, rule::kInPlaceAlias));
}

// An operand that is updated is read as itself; as a further operand it is read again.
TEST(OperandsOfMethod, MayBeTheUpdatedValueOnce) {
  for (const bool again : {true, false}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    b.Input(x);
    const int32_t y = b.Planned(1, 16, {4});
    b.Input(y);
    b.IndexPut(x, b.Constant(1, {1}, ScalarType::kInt64), again ? x : y);
    EXPECT_THAT(RulesIn(b), SizeIs(again ? 1 : 0));
  }
}

// Of a value without bytes nothing is overwritten.
TEST(OperandsOfMethod, WithoutBytesMeetNothing) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {0});
  b.Input(x);
  b.Flip(x, b.Planned(1, 0, {0}));
  const int32_t y = b.Unplanned({0});
  b.Input(y);
  b.Flip(y, y);
  EXPECT_THAT(RulesIn(b), IsEmpty());
}

TEST(OperandsOfMethod, WithoutAPlaceMeetThemselves) {
  for (const bool itself : {true, false}) {
    MethodBuilder b;
    const int32_t x = b.Unplanned({4});
    const int32_t y = b.Unplanned({4});
    b.Input(x);
    b.Input(y);
    b.Flip(x, itself ? x : y);
    EXPECT_THAT(RulesIn(b), SizeIs(itself ? 1 : 0));
  }
}

TEST(OperandsOfMethod, AreToldOfAtEachInstruction) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t out = b.Planned(1, 8, {4});
  b.Flip(x, out);
  b.Flip(x, out);
  EXPECT_THAT(RulesIn(b), SizeIs(2));
}

// Few results are looked at one by one, many by a search.
TEST(OperandsOfMethod, MeetEachOfTheResultsThatTheyMeet) {
  for (const uint64_t results : {3U, 8U, 9U, 20U}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 24, {8});  // the second, the third, and a half of the fourth
    b.Input(x);
    std::vector<int32_t> args = {x, b.Int(0)};
    for (uint64_t r = 0; r < results; ++r) args.push_back(b.Planned(1, 16 * r, {4}));
    args.push_back(b.TensorList({args.begin() + 2, args.end()}));
    b.Call("my::op", args);
    EXPECT_THAT(RulesIn(b), SizeIs(results == 3 ? 2 : 3)) << results;
  }
}

TEST_F(SelfCopies, AreCopiesOfOnePieceOfTheCallersMemory) {
  const int32_t brought = b_.Unplanned({4});
  b_.Copy(brought, brought);
  EXPECT_TRUE(IsSelf());
}

// x + x, element by element, reads each element before it writes it; x + y reads y beside it.
TEST(OperandsOfMethod, MayBeReadAgainElementByElement) {
  for (const bool again : {true, false}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    b.Input(x);
    const int32_t y = b.Planned(1, 16, {4});
    b.Input(y);
    b.Call("aten::add_.Tensor", {x, again ? x : y, b.Int(1), x});
    EXPECT_THAT(RulesIn(b), IsEmpty());
  }
}

// The return slot becomes the operand: it needs no bytes of its own.
TEST(OperandsOfMethod, MayHaveAnotherNameAsAResult) {
  for (const int32_t size : {0, 4}) {
    MethodBuilder b;
    const int32_t x = b.Unplanned({size});
    const int32_t y = b.Unplanned({size});
    b.Input(x);
    b.Input(y);
    const int32_t returned = b.Unplanned({size});
    b.Call("aten::copy_", {x, y, b.Bool(false), returned});
    b.Output(returned);
    EXPECT_THAT(RulesIn(b), IsEmpty());
  }
}

// A constant takes the name later, when nothing is written to it any more.
TEST(OperandsOfMethod, AreLookedUpAtTheirOwnInstruction) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t v = b.Planned(1, 16, {4});
  b.Mul(x, x, v);
  const int32_t moved = b.Unplanned({4});
  b.Move(v, moved);
  b.Copy(moved, x);
  b.Move(b.Constant(1, {4}), moved);
  b.Mul(moved, x, b.Planned(1, 32, {4}));
  EXPECT_THAT(RulesIn(b), IsEmpty());
}

}  // namespace
}  // namespace pteproof::checks
