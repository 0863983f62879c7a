#include "properties/checks/exporter_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ExporterOrder OrderOf(const MethodBuilder& builder) {
  const Method method = builder.Build();
  return ExporterOrderOf(method, EffectsOf(method, nullptr));
}

// x: 0, then `count` products, each of the one before.
MethodBuilder Products(int count) {
  MethodBuilder b;
  int32_t last = b.Planned(1, 0, {4});
  b.Input(last);
  for (int i = 0; i < count; ++i) {
    const int32_t next = b.Planned(1, 16 * static_cast<uint64_t>(i + 1), {4});
    b.Mul(last, last, next);
    last = next;
  }
  b.Output(last);
  return b;
}

TEST(ExporterOrder, HoldsWhereResultsAscend) {
  EXPECT_TRUE(OrderOf(Products(4)).holds);
}

TEST(ExporterOrder, IsNotTrustedOverTooFewValues) {
  // One input and so many results make one value less than enough.
  EXPECT_FALSE(OrderOf(Products(kEnoughOrderedValues - 2)).holds);
  EXPECT_TRUE(OrderOf(Products(kEnoughOrderedValues - 1)).holds);
}

TEST(ExporterOrder, FailsWhereAResultComesBeforeAnEarlierOne) {
  MethodBuilder b = Products(5);
  std::swap(b.method().instructions[1], b.method().instructions[3]);
  EXPECT_FALSE(OrderOf(b).holds);
}

TEST(ExporterOrder, FailsWhereInputsDescend) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(y);
  b.Input(x);
  for (uint64_t i = 2; i < 8; ++i) b.Mul(x, y, b.Planned(1, 16 * i, {4}));
  EXPECT_FALSE(OrderOf(b).holds);
}

TEST(ExporterOrder, FailsWhereALiteralComesBeforeAnEarlierResult) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t early = b.Int(1);
  for (uint64_t i = 1; i < 7; ++i) b.Mul(x, x, b.Planned(1, 16 * i, {4}));
  const int32_t last = b.Planned(1, 200, {4});
  b.Call("aten::add.out", {x, x, early, last, last});
  EXPECT_FALSE(OrderOf(b).holds);
}

TEST(ExporterOrder, AdmitsALiteralThatIsUsedAgain) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t one = b.Int(1);
  for (uint64_t i = 1; i < 7; ++i) {
    const int32_t out = b.Planned(1, 16 * i, {4});
    b.Call("aten::add.out", {x, x, one, out, out});
  }
  EXPECT_TRUE(OrderOf(b).holds);
}

TEST(ExporterOrder, DoesNotAskMovesAndStoresForOrder) {
  MethodBuilder b;
  const int32_t state = b.Planned(1, 400, {4}, "cache");
  const int32_t joined = b.Planned(1, 500, {4});
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  for (uint64_t i = 1; i < 6; ++i) b.Mul(x, x, b.Planned(1, 16 * i, {4}));
  b.Move(x, joined);
  b.Copy(state, x);
  EXPECT_TRUE(OrderOf(b).holds);
}

TEST(ExporterOrder, AsksTheResultsOfDelegates) {
  for (const bool early : {false, true}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    b.Input(x);
    const int32_t before = b.Planned(1, 400, {4});
    for (uint64_t i = 1; i < 7; ++i) b.Mul(x, x, b.Planned(1, 16 * i, {4}));
    const int32_t after = b.Planned(1, 500, {4});
    b.Delegate({x, early ? before : after});
    EXPECT_EQ(OrderOf(b).holds, !early);
  }
}

TEST(ExporterOrder, HasNoPointsInTimeWhereItFails) {
  EXPECT_THAT(OrderOf(Products(1)).highest, IsEmpty());
}

TEST(MadeBefore, IsTheFirstInstructionThatUsesALaterValue) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 16, {4});
  b.Mul(x, x, y);  // 0
  const int32_t view = b.Planned(1, 16, {4});
  b.Mul(x, y, b.Planned(1, 32, {4}));     // 1: later than the view
  b.Mul(view, y, b.Planned(1, 48, {4}));  // 2: its only use
  b.Mul(x, y, b.Planned(1, 64, {4}));     // 3
  const ExporterOrder order = OrderOf(b);
  ASSERT_TRUE(order.holds);
  EXPECT_EQ(order.MadeBefore(view), 1);
  EXPECT_EQ(order.MadeBefore(y), 1);
  EXPECT_EQ(order.MadeBefore(x), 0);
}

TEST(MadeBefore, CountsTheConditionOfAJump) {
  MethodBuilder b = Products(5);
  const int32_t view = b.Planned(1, 0, {4});
  b.JumpFalse(b.Bool(true), b.Next() + 1);
  b.Mul(view, view, b.Planned(1, 400, {4}));
  EXPECT_EQ(OrderOf(b).MadeBefore(view), 5);
}

TEST(MadeBefore, IsTheMethodsEndForTheLastValue) {
  MethodBuilder b = Products(5);
  const int32_t view = b.Planned(1, 0, {4});
  EXPECT_EQ(OrderOf(b).MadeBefore(view), b.Next());
}

}  // namespace
}  // namespace pteproof::checks
