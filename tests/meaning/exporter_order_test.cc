#include "meaning/exporter_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof::meaning {
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

TEST(ExporterOrder, AdmitsALiteralThatAListNamesFirst) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t one = b.Int(1);
  const int32_t sizes = b.IntList({one});
  const int32_t full = b.Planned(1, 16, {1});
  b.Call("aten::full.out", {sizes, b.Int(3), full, full});
  const int32_t sum = b.Planned(1, 32, {4});
  b.Call("aten::add.out", {x, x, one, sum, sum});
  EXPECT_TRUE(OrderOf(b).holds);
}

TEST(ExporterOrder, AdmitsALiteralThatABranchNamesFirst) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t flag = b.Bool(false);
  const int32_t jump = b.JumpFalse(flag, 0);
  b.SetTarget(jump, b.Next());
  for (uint64_t i = 1; i < 4; ++i) b.Mul(x, x, b.Planned(1, 16 * i, {4}));
  const int32_t copy = b.Planned(1, 128, {4});
  b.Call("aten::copy.out", {x, x, flag, copy, copy});
  EXPECT_TRUE(OrderOf(b).holds);
}

TEST(ExporterOrder, LeavesOutResultsThatAreBuffers) {
  for (const bool named : {true, false}) {
    MethodBuilder b;
    const int32_t state = b.Planned(2, 0, {4}, named ? "state" : "");
    const int32_t x = b.Planned(1, 0, {4});
    b.Input(x);
    for (uint64_t i = 1; i < 5; ++i) b.Mul(x, x, b.Planned(1, 16 * i, {4}));
    b.Mul(x, x, state);
    EXPECT_EQ(OrderOf(b).holds, named);
  }
}

// One input and one result.
Method OfTwoValues(bool ascend) {
  MethodBuilder b("small");
  const int32_t low = b.Planned(1, 0, {4});
  const int32_t high = b.Planned(1, 16, {4});
  b.Input(ascend ? low : high);
  b.Call("aten::relu.out", {ascend ? low : high, ascend ? high : low, ascend ? high : low});
  return b.Build();
}

bool HoldsInProgram(const std::vector<Method>& methods, size_t which) {
  const Program program = ProgramOf(methods);
  const Method& method = program.methods[which];
  return ExporterOrderOf(method, EffectsOf(method, nullptr), NumberingsOf(program)).holds;
}

TEST(ExporterOrder, OfASmallMethodHasTheOthersForEvidence) {
  const Method small = OfTwoValues(true);
  std::vector<Method> all(6, small);  // one of 64 numberings
  EXPECT_FALSE(HoldsInProgram(all, 0));
  all.push_back(small);
  EXPECT_TRUE(HoldsInProgram(all, 0));
}

// Its delegate's results were told by numbers.
TEST(ExporterOrder, OfADelegatesMethodNeedsEnoughValuesOfItsOwn) {
  MethodBuilder b("delegated");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Delegate({x, b.Planned(1, 16, {4})});
  std::vector<Method> all(9, OfTwoValues(true));
  all.push_back(b.Build());
  EXPECT_FALSE(HoldsInProgram(all, 9));
  EXPECT_TRUE(HoldsInProgram(all, 0));
}

TEST(ExporterOrder, OfASmallMethodHasNoEvidenceIfAnotherBreaksIt) {
  const Method small = OfTwoValues(true);
  std::vector<Method> all(9, small);
  all.push_back(OfTwoValues(false));
  EXPECT_FALSE(HoldsInProgram(all, 0));
  EXPECT_FALSE(HoldsInProgram(all, 9));
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

TEST(ExporterOrder, FailsWhereAnInputIsListedTwice) {
  MethodBuilder b = Products(5);
  b.Input(b.method().inputs.front());
  EXPECT_FALSE(OrderOf(b).holds);
}

TEST(ExporterOrder, AsksAResultOnceOnly) {
  MethodBuilder b = Products(5);
  b.Mul(1, 1, 2);
  b.Mul(1, 1, 0);  // the input
  EXPECT_TRUE(OrderOf(b).holds);
}

// By hand: the highest value that the code has named so far, instruction by instruction.
TEST(ExporterOrder, FollowsTheHighestValueThroughEveryKindOfInstruction) {
  MethodBuilder b = Products(5);                 // instructions 0 to 4 make v1 to v5
  const int32_t condition = b.Bool(true);        // v6
  const int32_t moved = b.Unplanned({4});        // v7
  const int32_t source = b.Planned(1, 96, {4});  // v8
  const int32_t given = b.Planned(1, 112, {4});  // v9
  const int32_t never = b.Planned(1, 128, {4});  // v10
  b.Mul(1, 1, 1);                                // 5
  b.JumpFalse(condition, 7);                     // 6
  b.Move(1, moved);                              // 7
  b.Move(source, 2);                             // 8
  b.method().instructions.push_back({InstructionKind::kFree, never, 0, {}});  // 9
  b.Delegate({3, given});                                                     // 10
  EXPECT_THAT(OrderOf(b).highest, ElementsAre(1, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9));
}

}  // namespace
}  // namespace pteproof::meaning
