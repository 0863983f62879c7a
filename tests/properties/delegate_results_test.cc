// Which arguments of a delegate call are its results, if one has the place of an older value: the
// paths from the call on decide. Check, proof and runs follow them alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

// One arm of a branch calls a delegate with a result at [64,96) and one at the input's place, the
// other arm reads the input.
struct Arms {
  MethodBuilder b;
  int32_t x = b.Planned(1, 0, {8});
  int32_t result = -1;

  Arms() {
    b.Input(x);
    const int32_t flag = b.Planned(1, 224, {}, {}, ScalarType::kBool);
    b.Call("aten::any.all_out", {x, flag, flag});
    const int32_t to_else = b.JumpFalse(flag, 0);
    const int32_t operand = b.Planned(1, 32, {8});
    b.Add(x, x, operand);
    const int32_t first = b.Planned(1, 64, {8});
    const int32_t second = b.Planned(1, 0, {8});
    b.Delegate({operand, first, second});
    result = b.Planned(1, 96, {8});
    b.Add(first, second, result);
    const int32_t to_end = b.JumpFalse(b.Bool(false), 0);
    b.SetTarget(to_else, b.Next());
    b.Mul(x, x, result);
    b.SetTarget(to_end, b.Next());
    b.Output(result);
  }
};

// A method whose result lies at [64,96): in a shared bank it destroys what others keep there.
Method Neighbour() {
  MethodBuilder b("neighbour");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 64, {8});
  b.Add(x, x, out);
  b.Output(out);
  return b.Build();
}

TEST(DelegateResults, MayLieOverWhatTheOtherArmReads) {
  const Arms arms;
  EXPECT_EQ(AgreedRow(ProgramOf({arms.b.Build(), Neighbour()})), "safe safe safe");
}

// It may be a view of the input, and the first argument a buffer; or both are results, and the last
// sum reads a wrong input.
TEST(DelegateResults, AreOpenIfWhatLiesThereIsReadAfterBothArms) {
  Arms arms;
  const int32_t last = arms.b.Planned(1, 160, {8});
  arms.b.Add(arms.x, arms.result, last);
  arms.b.Output(last);
  EXPECT_EQ(AgreedRow(ProgramOf({arms.b.Build()})), "undecided undecided undecided");
}

// The other arm makes the value at that place, which is read behind both. What is not there before
// the call is not what an argument is a view of: this one is no buffer, which a neighbour destroys.
TEST(DelegateResults, MayLieWhereTheOtherArmMakesWhatIsReadAfterBoth) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t flag = b.Planned(1, 224, {}, {}, ScalarType::kBool);
  b.Call("aten::any.all_out", {x, flag, flag});
  const int32_t to_else = b.JumpFalse(flag, 0);
  const int32_t merged = b.Planned(1, 64, {8});
  b.Mul(x, x, merged);
  const int32_t to_end = b.JumpFalse(b.Bool(false), 0);
  b.SetTarget(to_else, b.Next());
  const int32_t made = b.Planned(1, 64, {8});
  b.Delegate({x, made});
  b.SetTarget(to_end, b.Next());
  const int32_t last = b.Planned(1, 96, {8});
  b.Add(merged, x, last);
  b.Output(last);
  const Program program = ProgramOf({b.Build(), Neighbour()});
  EXPECT_EQ(AgreedRow(program), "undecided undecided undecided");
  EXPECT_THAT(LinesOf(Check(program), rule::kReadBeforeWrite), testing::SizeIs(1));
}

// An input is there before the call, though an instruction below sets it: the last argument is a
// view of it. As a result it would destroy the input, which the sum reads: an error. That the next
// call begins with the moved input leaves the verdict open.
TEST(DelegateResults, AreNotViewsOfAnInputThatIsSetLater) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t made = b.Planned(1, 64, {8});
  const int32_t view = b.Planned(1, 0, {8});
  const int32_t sum = b.Planned(1, 96, {8});
  b.Delegate({x, made, view});
  b.Add(x, made, sum);
  b.Move(sum, x);
  b.Add(x, sum, sum);
  b.Output(sum);
  EXPECT_EQ(AgreedRow(ProgramOf({b.Build()})), "undecided undecided undecided");
}

// A delegate reads a view of a buffer, which has the number before its result's.
struct BufferViewed {
  MethodBuilder b;
  int32_t buffer = -1;
  int32_t x = -1;
  int32_t result = -1;

  explicit BufferViewed(std::string_view name) {
    buffer = b.Planned(1, 128, {8}, name);
    x = b.Planned(1, 0, {8});
    b.Input(x);
    const int32_t operand = b.Planned(1, 32, {8});
    b.Add(x, x, operand);
    const int32_t view = b.Planned(1, 128, {2, 4});
    result = b.Planned(1, 64, {8});
    b.Delegate({operand, view, result});
  }
};

TEST(DelegateResults, AreNotViewsOfABufferThatIsReadNext) {
  for (const char* name : {"", "m.state"}) {
    BufferViewed read(name);
    read.b.Add(read.result, read.buffer, read.result);
    read.b.Copy(read.buffer, read.result);
    read.b.Output(read.result);
    EXPECT_EQ(AgreedRow(ProgramOf({read.b.Build()})), "safe safe safe") << name;
  }
}

// The next call reads it. With private banks the methods may have a buffer each.
TEST(DelegateResults, AreNotViewsOfABufferThatKeepsItsValue) {
  BufferViewed kept("");
  kept.b.Output(kept.result);
  MethodBuilder set("set");
  const int32_t buffer = set.Planned(1, 128, {8});
  const int32_t x = set.Planned(1, 0, {8});
  set.Input(x);
  set.Copy(buffer, x);
  EXPECT_EQ(AgreedRow(ProgramOf({kept.b.Build(), set.Build()})), "undecided safe safe");
}

// What the buffer held before the call nobody reads: the last argument may be a result that lies
// over it, and the store gives the buffer its new value.
TEST(DelegateResults, MayLieOverABufferThatIsStoredToNext) {
  MethodBuilder b;
  const int32_t buffer = b.Planned(1, 128, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t result = b.Planned(1, 128, {8});
  const int32_t sum = b.Planned(1, 96, {8});
  b.Delegate({x, result});
  b.Add(x, result, sum);
  b.Copy(buffer, sum);
  b.Output(sum);
  EXPECT_EQ(AgreedRow(ProgramOf({b.Build()})), "safe safe safe");
}

// A loop of three rounds that reads `w` and then calls a delegate, whose last argument has the
// place of `w`.
enum class WIsMade : uint8_t { kOnce, kEachRound, kEachRoundByADelegate };

Method LoopOverW(WIsMade how) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t round = b.Int(0);
  b.Move(b.Int(0), round);
  const int32_t w = b.Planned(1, 32, {8});
  if (how == WIsMade::kOnce) b.Mul(x, x, w);
  const int32_t top = b.Next();
  if (how == WIsMade::kEachRound) b.Mul(x, x, w);
  if (how == WIsMade::kEachRoundByADelegate) b.Delegate({x, w});
  const int32_t sum = b.Planned(1, 96, {8});
  b.Add(w, x, sum);
  const int32_t made = b.Planned(1, 64, {8});
  const int32_t at_w = b.Planned(1, 32, {8});
  b.Delegate({sum, made, at_w});
  const int32_t result = b.Planned(1, 128, {8});
  b.Add(made, at_w, result);
  b.Call("executorch_prim::add.Scalar", {round, b.Int(1), round});
  const int32_t is_last = b.Bool(false);
  b.Call("executorch_prim::eq.Scalar", {round, b.Int(3), is_last});
  b.JumpFalse(is_last, top);
  b.Output(result);
  return b.Build();
}

TEST(DelegateResults, AreOpenIfTheNextRoundReadsWhatLiesThere) {
  EXPECT_EQ(AgreedRow(ProgramOf({LoopOverW(WIsMade::kOnce)})), "undecided undecided undecided");
}

TEST(DelegateResults, MayLieOverWhatEachRoundMakesAnew) {
  for (const WIsMade how : {WIsMade::kEachRound, WIsMade::kEachRoundByADelegate}) {
    EXPECT_EQ(AgreedRow(ProgramOf({LoopOverW(how), Neighbour()})), "safe safe safe");
  }
}

// One result over a value that is read later: a delegate without results is no exporter's.
TEST(DelegateResults, AreOpenIfTheOnlyOneLiesOverAValueThatIsReadLater) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t operand = b.Planned(1, 32, {8});
  const int32_t over = b.Planned(1, 0, {8});
  const int32_t last = b.Planned(1, 64, {8});
  b.Mul(x, x, operand);
  b.Delegate({operand, over});
  b.Add(x, over, last);
  b.Output(last);
  EXPECT_EQ(AgreedRow(ProgramOf({b.Build()})), "undecided undecided undecided");
}

// Two views of one value. The exporter numbers results last: the view with the lower number was
// there before the one to its left, and so before the call. In the other order the second may be a
// result, which nothing reads.
Method OnTwoViews(bool second_is_higher) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t base = b.Planned(1, 32, {8});
  b.Mul(x, x, base);
  const int32_t one = b.Planned(1, 32, {2, 4});
  const int32_t other = b.Planned(1, 32, {8});
  const int32_t made = b.Planned(1, 64, {8});
  b.Delegate(second_is_higher ? std::vector{one, other, made} : std::vector{other, one, made});
  const int32_t sum = b.Planned(1, 96, {8});
  b.Add(x, made, sum);
  const int32_t last = b.Planned(1, 128, {8});
  b.Add(x, sum, last);
  b.Output(last);
  return b.Build();
}

TEST(DelegateResults, AreNumberedAboveAllOperands) {
  EXPECT_EQ(AgreedRow(ProgramOf({OnTwoViews(false)})), "safe safe safe");
  EXPECT_EQ(AgreedRow(ProgramOf({OnTwoViews(true)})), "undecided undecided undecided");
}

// The exporter numbers the results of a call one after the other. So `view` is an operand, though
// its base is used no more but by another view, which was made between it and the result.
TEST(DelegateResults, AreNumberedInOneGo) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t base = b.Planned(1, 32, {8});
  b.Mul(x, x, base);
  const int32_t view = b.Planned(1, 32, {2, 4});
  const int32_t other = b.Planned(1, 32, {4, 2});
  const int32_t made = b.Planned(1, 64, {8});
  b.Delegate({view, made});
  const int32_t sum = b.Planned(1, 96, {4, 2});
  b.Add(other, other, sum);
  const int32_t last = b.Planned(1, 128, {8});
  b.Add(x, made, last);
  b.Output(last);
  b.Output(sum);
  EXPECT_EQ(AgreedRow(ProgramOf({b.Build()})), "safe safe safe");
}

}  // namespace
}  // namespace pteproof
