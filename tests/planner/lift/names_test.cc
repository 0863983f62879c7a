// What values stand for, in methods put together by hand.
#include "planner/lift/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "planner/lift/named_storages.h"
#include "tests/support/elided_names.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MethodNames NamesIn(const MethodBuilder& builder) {
  return NamesOf(builder.Build(), TouchesOf(builder.Build()));
}

// "v5 of v4+0 before 1", or of several values.
std::string TextOf(const DerivedName& name) {
  std::string text = "v" + std::to_string(name.value) + " of";
  for (const NamedBytes& each : name.bytes) {
    text += " v" + std::to_string(each.of) + "+" + std::to_string(each.at);
  }
  return text + " before " + std::to_string(name.made_before);
}

std::vector<std::string> TextsOf(const MethodNames& names) {
  std::vector<std::string> texts;
  for (const DerivedName& name : names.derived) texts.push_back(TextOf(name));
  return texts;
}

TEST(NamesTest, ValuesThatInstructionsMakeAreTheirOwn) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, x, y);
  m.Output(y);
  const MethodNames names = NamesIn(m);
  EXPECT_THAT(names.derived, IsEmpty());
  EXPECT_THAT(names.is_state, ElementsAre(false, false, false));
}

TEST(NamesTest, ABufferHasANameOrComesBeforeTheInputs) {
  MethodBuilder m;
  const int32_t unnamed = m.Planned(1, 48, {4});
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t named = m.Planned(2, 0, {4}, "state");
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, named, y);
  m.Add(y, unnamed, y);
  m.Output(y);
  const MethodNames names = NamesIn(m);
  EXPECT_TRUE(names.is_state[static_cast<size_t>(unnamed)]);
  EXPECT_TRUE(names.is_state[static_cast<size_t>(named)]);
  EXPECT_THAT(names.derived, IsEmpty());
}

// The view's number tells that it was made before the second addition.
TEST(NamesTest, AViewIsOfTheLastLowerValueInItsPlace) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  m.Add(x, x, a);
  const int32_t view = m.Planned(1, 16, {2, 2});
  const int32_t b = m.Planned(1, 32, {4});
  m.Add(a, x, b);
  const int32_t c = m.Planned(1, 48, {2, 2});
  m.Mul(view, view, c);
  m.Output(c);
  m.Output(b);
  EXPECT_THAT(TextsOf(NamesIn(m)), ElementsAre("v3 of v1+0 before 1"));
}

TEST(NamesTest, AViewIsOfNothingThatAnotherBranchMakes) {
  const ElidedView elided = ViewInABranch(true);
  const MethodNames names = NamesOf(elided.method, TouchesOf(elided.method));
  ASSERT_EQ(names.derived.size(), 1U);
  EXPECT_EQ(names.derived.front().value, elided.view);
  ASSERT_EQ(names.derived.front().bytes.size(), 1U);
  EXPECT_EQ(names.derived.front().bytes.front().of, elided.base);
}

TEST(NamesTest, ANameIsOfNothingThatAnotherBranchMadeInTheRoundBefore) {
  for (const Elided kind : {Elided::kView, Elided::kSlice, Elided::kConcatenation}) {
    const ElidedView elided = NameInABranchOfALoop(kind, true);
    const MethodNames names = NamesOf(elided.method, TouchesOf(elided.method));
    ASSERT_EQ(names.derived.size(), 1U);
    EXPECT_EQ(names.derived.front().value, elided.view);
    EXPECT_EQ(names.derived.front().bytes.front().of, elided.base);
  }
}

TEST(NamesTest, PartsOneBehindTheOtherMakeAConcatenation) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  const int32_t b = m.Planned(1, 32, {4});
  m.Add(x, x, a);
  m.Mul(x, x, b);
  const int32_t whole = m.Planned(1, 16, {8});
  const int32_t y = m.Planned(1, 64, {8});
  m.Add(whole, whole, y);
  m.Output(y);
  const MethodNames names = NamesIn(m);
  EXPECT_THAT(TextsOf(names), ElementsAre("v4 of v1+0 v2+16 before 2"));
  const NamedStorages storages = NamedStoragesOf(m.Build(), TouchesOf(m.Build()), names);
  EXPECT_TRUE(storages.Share(m.method(), whole, a));
  EXPECT_TRUE(storages.Share(m.method(), whole, b));
  EXPECT_FALSE(storages.Share(m.method(), a, b));
  EXPECT_EQ(storages.storage[static_cast<size_t>(a)], storages.storage[static_cast<size_t>(b)]);
  EXPECT_EQ(storages.at[static_cast<size_t>(b)] - storages.at[static_cast<size_t>(a)], 16);
}

TEST(NamesTest, ASliceLiesWithinAnOlderValue) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4, 2});
  m.Input(x);
  const int32_t rows = m.Planned(1, 8, {2, 2});
  const int32_t y = m.Planned(1, 32, {2, 2});
  m.Add(rows, rows, y);
  m.Output(y);
  EXPECT_THAT(TextsOf(NamesIn(m)), ElementsAre("v1 of v0+-8 before 0"));
}

TEST(NamesTest, ASecondNameOfABufferIsDerivedFromIt) {
  MethodBuilder m;
  const int32_t state = m.Planned(2, 0, {4}, "state");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t view = m.Planned(2, 0, {4}, "state");
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, x, y);
  m.Copy(state, x);
  m.Add(view, y, y);
  m.Output(y);
  const MethodNames names = NamesIn(m);
  EXPECT_TRUE(names.is_state[static_cast<size_t>(state)]);
  EXPECT_THAT(TextsOf(names), ElementsAre("v2 of v0+0 before 0"));
  EXPECT_FALSE(names.derived.front().is_buffer);
}

// Two branches give their results to one value: it has no storage of its own.
TEST(NamesTest, WhatAMoveMadeLiesWithItsFirstSource) {
  MethodBuilder m;
  const int32_t which = m.Planned(1, 0, {}, {}, ScalarType::kBool);
  const int32_t x = m.Planned(1, 16, {4});
  m.Input(which);
  m.Input(x);
  const int32_t result = m.Planned(1, 32, {4});
  const int32_t a = m.Planned(1, 32, {4});
  const int32_t b = m.Planned(1, 48, {4});
  const int32_t jump = m.JumpFalse(which, 0);
  m.Add(x, x, a);
  m.Move(a, result);
  const int32_t never = m.Bool(false);
  const int32_t skip = m.JumpFalse(never, 0);
  m.SetTarget(jump, m.Next());
  m.Mul(x, x, b);
  m.Move(b, result);
  m.SetTarget(skip, m.Next());
  const int32_t y = m.Planned(1, 64, {4});
  m.Add(result, x, y);
  m.Output(y);
  const MethodTouches touches = TouchesOf(m.Build());
  const MethodNames names = NamesOf(m.Build(), touches);
  EXPECT_THAT(names.derived, IsEmpty());
  EXPECT_THAT(names.is_state, testing::Each(false));
  const NamedStorages storages = NamedStoragesOf(m.Build(), touches, names);
  EXPECT_TRUE(storages.Share(m.method(), result, a));
  EXPECT_FALSE(storages.Share(m.method(), result, b));
}

}  // namespace
}  // namespace pteproof::planner
