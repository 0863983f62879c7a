#include "meaning/name_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;

using ::testing::IsEmpty;
using ::testing::SizeIs;

class NameEventsOfMethod : public ::testing::Test {
 protected:
  NameEventsOfMethod() : x_(b_.Planned(1, 0, {4})), v_(b_.Planned(1, 16, {4})) { b_.Input(x_); }

  MethodBuilder b_;
  int32_t x_;
  int32_t v_;
};

TEST_F(NameEventsOfMethod, ListEachMakeInListingOrder) {
  b_.Mul(x_, x_, v_);                                            // 0
  b_.IndexPut(v_, b_.Constant(1, {1}, ScalarType::kInt64), x_);  // 1
  b_.Copy(v_, x_);                                               // 2
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const NameEvents events(flow);
  const auto makes = events.Of(v_);
  ASSERT_THAT(makes, SizeIs(3));
  EXPECT_EQ(makes[0].at, (Point{0, Step::kWrite}));
  EXPECT_EQ(makes[0].kind, MakeKind::kMade);
  EXPECT_EQ(makes[1].kind, MakeKind::kUpdated);
  EXPECT_EQ(makes[2].at, (Point{2, Step::kWrite}));
  EXPECT_EQ(makes[2].kind, MakeKind::kMade);
  EXPECT_THAT(events.Of(x_), IsEmpty());
}

TEST_F(NameEventsOfMethod, ListAMoveAsTaken) {
  const int32_t to = b_.Planned(1, 32, {4});
  b_.Mul(x_, x_, v_);
  b_.Move(v_, to);
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const NameEvents events(flow);
  ASSERT_THAT(events.Of(to), SizeIs(1));
  const Make& make = events.Of(to)[0];
  EXPECT_EQ(make.kind, MakeKind::kTaken);
  EXPECT_EQ(make.at, (Point{1, Step::kRename}));
  EXPECT_EQ(a.check.aliases.transfers[static_cast<size_t>(make.transfer)].to, to);
}

TEST_F(NameEventsOfMethod, PutAReturnedNameAfterTheWrite) {
  const int32_t slot = b_.Planned(1, 16, {4});
  b_.Call("aten::copy_", {v_, x_, b_.Bool(false), slot});
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const NameEvents events(flow);
  ASSERT_THAT(events.Of(slot), SizeIs(1));
  EXPECT_EQ(events.Of(slot)[0].at, (Point{0, Step::kAfter}));
  EXPECT_LT(events.Of(v_)[0].at, events.Of(slot)[0].at);
}

TEST_F(NameEventsOfMethod, KeepFillsApart) {
  const int32_t all = b_.Planned(1, 64, {4, 4});
  b_.Call("executorch_prim::et_copy_index.tensor", {all, x_, b_.Int(0)});
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const NameEvents events(flow);
  EXPECT_THAT(events.Of(all), IsEmpty());
  ASSERT_THAT(events.fills(), SizeIs(1));
  EXPECT_EQ(events.fills()[0].name, all);
  EXPECT_EQ(events.fills()[0].instruction, 0);
}

TEST_F(NameEventsOfMethod, MakeAStatesEndWithAFullStoreOnly) {
  const int32_t whole = b_.Planned(2, 0, {4}, "whole");
  const int32_t part = b_.Planned(2, 16, {4}, "part");
  b_.Copy(whole, x_);
  b_.IndexPut(part, b_.Constant(1, {1}, ScalarType::kInt64), x_);
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const NameEvents events(flow);
  EXPECT_THAT(events.Of(flow.value_count() + 0), SizeIs(1));
  EXPECT_THAT(events.Of(flow.value_count() + 1), IsEmpty());
}

TEST_F(NameEventsOfMethod, FindTheLastMakeBeforeAPointOfABlock) {
  b_.Mul(x_, x_, v_);
  b_.Mul(x_, x_, v_);
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const NameEvents events(flow);
  EXPECT_EQ(events.LastBefore(v_, {0, Step::kWrite}, 0), nullptr);
  ASSERT_NE(events.LastBefore(v_, {1, Step::kRead}, 0), nullptr);
  EXPECT_EQ(events.LastBefore(v_, {1, Step::kRead}, 0)->at.instruction, 0);
  EXPECT_EQ(events.LastBefore(v_, {2, Step::kBefore}, 0)->at.instruction, 1);
  EXPECT_EQ(events.LastBefore(v_, {1, Step::kRead}, 1), nullptr);
}

TEST(Point, ComparesAsThingsHappen) {
  EXPECT_LT((Point{0, Step::kAfter}), (Point{1, Step::kBefore}));
  EXPECT_LT((Point{1, Step::kBefore}), (Point{1, Step::kRead}));
  EXPECT_LT((Point{1, Step::kRead}), (Point{1, Step::kRename}));
  EXPECT_LT((Point{1, Step::kRename}), (Point{1, Step::kWrite}));
  EXPECT_LT((Point{1, Step::kWrite}), (Point{1, Step::kAfter}));
}

TEST_F(NameEventsOfMethod, ListAViewBeforeTheUpdateThatItIsGiven) {
  const int32_t view = b_.Planned(1, 0, {2, 2});
  b_.IndexPut(view, b_.Constant(1, {1}, ScalarType::kInt64), x_);
  const Analysed a(b_);
  const MethodFlow flow = a.check.flow();
  const NameEvents events(flow);
  ASSERT_THAT(events.Of(view), SizeIs(2));
  EXPECT_EQ(events.Of(view)[0].kind, MakeKind::kTaken);
  EXPECT_EQ(events.Of(view)[1].kind, MakeKind::kUpdated);
}

}  // namespace
}  // namespace pteproof::meaning
