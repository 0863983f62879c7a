// Which values a plan has to move together, on methods put together by hand.
#include "planner/lift/webs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MethodWebs WebsIn(MethodBuilder& m) {
  return WebsOf(meaning::MeaningOf(m.method(), nullptr), m.method());
}

bool AreOne(const MethodWebs& webs, int32_t a, int32_t b) {
  const int32_t web = webs.web[static_cast<size_t>(a)];
  return web >= 0 && web == webs.web[static_cast<size_t>(b)];
}

LiveSet LifeOf(const Method& method, const MethodWebs& webs, int32_t value) {
  return LivesOf(method, webs)[static_cast<size_t>(webs.web[static_cast<size_t>(value)])];
}

TEST(Webs, AViewThatNothingWritesJoinsItsBase) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  const int32_t view = m.Planned(1, 16, {2, 2});
  const int32_t y = m.Planned(1, 32, {2, 2});
  m.Add(x, x, a);
  m.Add(view, view, y);
  m.Output(y);
  const MethodWebs webs = WebsIn(m);
  EXPECT_TRUE(AreOne(webs, a, view));
  EXPECT_FALSE(AreOne(webs, x, a));
  EXPECT_FALSE(AreOne(webs, a, y));
  EXPECT_THAT(webs.state, IsEmpty());
  EXPECT_THAT(LifeOf(m.method(), webs, a), ElementsAre(Span{1, 4}));
  EXPECT_THAT(LifeOf(m.method(), webs, x), ElementsAre(Span{-1, 2}));
  EXPECT_THAT(LifeOf(m.method(), webs, y), ElementsAre(Span{3, 5}));
}

// The same bytes, used for one value after the other.
TEST(Webs, BytesThatAreUsedAgainAreTwoWebs) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  const int32_t b = m.Planned(1, 32, {4});
  const int32_t c = m.Planned(1, 16, {4});
  m.Add(x, x, a);
  m.Add(a, a, b);
  m.Add(b, b, c);
  m.Output(c);
  const MethodWebs webs = WebsIn(m);
  EXPECT_FALSE(AreOne(webs, a, c));
}

TEST(Webs, PartsJoinTheConcatenationThatTheyTile) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t low = m.Planned(1, 64, {4});
  const int32_t high = m.Planned(1, 80, {4});
  const int32_t whole = m.Planned(1, 64, {8});
  const int32_t y = m.Planned(1, 128, {8});
  m.Add(x, x, low);
  m.Mul(x, x, high);
  m.Add(whole, whole, y);
  m.Output(y);
  const MethodWebs webs = WebsIn(m);
  EXPECT_TRUE(AreOne(webs, low, whole));
  EXPECT_TRUE(AreOne(webs, high, whole));
  EXPECT_THAT(LifeOf(m.method(), webs, whole), ElementsAre(Span{1, 6}));
}

TEST(Webs, AResultOverAnOperandJoinsIt) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 0, {4});
  m.Add(x, x, y);
  m.Output(y);
  EXPECT_TRUE(AreOne(WebsIn(m), x, y));
}

TEST(Webs, MovedValuesLieInTheirSourcesOnEveryPath) {
  MethodBuilder m;
  const int32_t p = m.Planned(1, 0, {1}, {}, ScalarType::kBool);
  const int32_t x = m.Planned(1, 16, {4});
  m.Input(p);
  m.Input(x);
  const int32_t then = m.Planned(1, 32, {4});
  const int32_t other = m.Planned(1, 48, {4});
  const int32_t result = m.Planned(1, 64, {4});
  const int32_t y = m.Planned(1, 80, {4});
  const int32_t jump = m.JumpFalse(p, 0);
  m.Add(x, x, then);
  m.Move(then, result);
  const int32_t over = m.JumpFalse(m.Bool(false), 0);
  m.SetTarget(jump, m.Next());
  m.Mul(x, x, other);
  m.Move(other, result);
  m.SetTarget(over, m.Next());
  m.Add(result, result, y);
  m.Output(y);
  const MethodWebs webs = WebsIn(m);
  EXPECT_THAT(webs.touches.of_instruction.back().may_read, testing::Contains(then));
  EXPECT_THAT(webs.touches.of_instruction.back().may_read, testing::Contains(other));
  EXPECT_EQ(webs.web[static_cast<size_t>(result)], -1);  // nothing writes its own bytes
  // The result of the first branch is not written over in the second: that is never run after it.
  EXPECT_THAT(LifeOf(m.method(), webs, x), ElementsAre(Span{-1, 4}, Span{8, 10}));
}

TEST(Webs, BytesThatNothingHasWrittenAreState) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t state = m.Planned(2, 0, {4});
  const int32_t sum = m.Planned(1, 16, {4});
  m.Add(state, x, sum);
  m.Copy(state, sum);
  m.Output(sum);
  const MethodWebs webs = WebsIn(m);
  EXPECT_THAT(webs.stateful, ElementsAre(state));
  EXPECT_THAT(webs.state, ElementsAre(BankBytes{2, 0, 16}));
}

TEST(Webs, BuffersWithANameAreStateThatNothingReads) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t state = m.Planned(2, 32, {4}, "total");
  m.Copy(state, x);
  const MethodWebs webs = WebsIn(m);
  EXPECT_THAT(webs.stateful, ElementsAre(state));
}

// What a round reads of `carried` the caller has written, or the round before.
TEST(Webs, LoopsKeepValuesForTheNextRound) {
  MethodBuilder m;
  const int32_t p = m.Planned(1, 0, {1}, {}, ScalarType::kBool);
  const int32_t carried = m.Planned(1, 16, {4});
  m.Input(p);
  m.Input(carried);
  const int32_t next = m.Planned(1, 32, {4});
  const int32_t head = m.Next();
  m.Add(carried, carried, next);
  m.Copy(carried, next);
  m.JumpFalse(p, head);
  m.Output(carried);
  const MethodWebs webs = WebsIn(m);
  EXPECT_THAT(LifeOf(m.method(), webs, carried), ElementsAre(Span{-1, 2}, Span{3, 7}));
  EXPECT_THAT(LifeOf(m.method(), webs, next), ElementsAre(Span{1, 4}));
  EXPECT_THAT(webs.stateful, IsEmpty());
}

TEST(Webs, AnUpdateKeepsWhatWasThere) {
  MethodBuilder m;
  const int32_t table = m.Planned(1, 0, {8});
  const int32_t index = m.Planned(1, 64, {1}, {}, ScalarType::kInt64);
  const int32_t row = m.Planned(1, 80, {1});
  m.Input(table);
  m.Input(index);
  m.Input(row);
  m.IndexPut(table, index, row);
  const int32_t view = m.Planned(1, 0, {2, 4});
  const int32_t y = m.Planned(1, 128, {2, 4});
  m.Add(view, view, y);
  m.Output(y);
  const MethodWebs webs = WebsIn(m);
  EXPECT_TRUE(AreOne(webs, table, view));
  EXPECT_THAT(LifeOf(m.method(), webs, table), ElementsAre(Span{-1, 4}));
}

}  // namespace
}  // namespace pteproof::planner
