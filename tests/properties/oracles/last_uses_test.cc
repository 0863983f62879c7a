#include "properties/oracles/last_uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::Not;

LastUses LastUsesIn(const MethodBuilder& b) {
  const Method method = b.Build();
  return LastUsesOf(meaning::MeaningOf(method, nullptr));
}

TEST(LastUsesTest, AreTheLastInstructionsThatListTheValue) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t unused = b.Planned(1, 64, {4});
  const int32_t first = b.Planned(1, 16, {4});
  const int32_t second = b.Planned(1, 32, {4});
  b.Input(in);
  b.Input(unused);
  b.Mul(in, in, first);
  b.Add(first, in, second);
  b.Output(second);
  const LastUses uses = LastUsesIn(b);
  EXPECT_EQ(uses.of[static_cast<size_t>(in)], 1);
  EXPECT_EQ(uses.of[static_cast<size_t>(first)], 1);
  EXPECT_EQ(uses.of[static_cast<size_t>(second)], 2);
  EXPECT_EQ(uses.of[static_cast<size_t>(unused)], -1);
  EXPECT_THAT(uses.at[0], Contains(unused));
  EXPECT_THAT(uses.at[1], testing::IsSupersetOf({in, first}));
  EXPECT_THAT(uses.at[1], Not(Contains(second)));
}

TEST(LastUsesTest, ItemsOfAListAreUsedWithIt) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(1, 16, {8});
  b.Input(in);
  b.Mul(in, in, b.Planned(1, 48, {4}));
  b.Call("aten::cat.out", {b.TensorList({in, in}), b.Int(0), out, out});
  EXPECT_EQ(LastUsesIn(b).of[static_cast<size_t>(in)], 1);
}

TEST(LastUsesTest, ABaseIsUsedUntilItsNamesAreBorn) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t base = b.Planned(1, 16, {4});
  const int32_t view = b.Planned(1, 16, {2, 2});
  const int32_t view_of_view = b.Planned(1, 16, {4, 1});
  b.Input(in);
  b.Mul(in, in, base);
  b.Add(view, view, b.Planned(1, 32, {2, 2}));
  b.Add(view_of_view, view_of_view, b.Planned(1, 48, {4, 1}));
  const LastUses uses = LastUsesIn(b);
  EXPECT_EQ(uses.of[static_cast<size_t>(base)], 1);  // view_of_view is older than the sum of view
  EXPECT_EQ(uses.of[static_cast<size_t>(view_of_view)], 2);
}

TEST(LastUsesTest, WhatALoopUsesIsNeededUntilItEnds) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t flag = b.Planned(1, 16, {1}, {}, ScalarType::kBool);
  const int32_t made = b.Planned(1, 32, {4});
  b.Input(in);
  b.Input(flag);
  b.Mul(in, in, b.Planned(1, 48, {4}));  // 0
  b.Mul(in, in, made);                   // 1: first of the loop
  b.Mul(made, made, b.Planned(1, 64, {4}));
  b.JumpFalse(flag, 2);  // 3: an inner loop
  b.Mul(made, made, b.Planned(1, 64, {4}));
  b.JumpFalse(flag, 1);  // 5
  const LastUses uses = LastUsesIn(b);
  EXPECT_EQ(uses.of[static_cast<size_t>(in)], 5);
  EXPECT_EQ(uses.of[static_cast<size_t>(made)], 5);
  EXPECT_EQ(uses.of[static_cast<size_t>(flag)], 5);
}

TEST(LastUsesTest, AJumpForwardIsNoLoop) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t flag = b.Planned(1, 16, {1}, {}, ScalarType::kBool);
  b.Input(in);
  b.Input(flag);
  b.JumpFalse(flag, 2);
  b.Mul(in, in, b.Planned(1, 32, {4}));
  b.Mul(in, in, b.Planned(1, 48, {4}));
  const LastUses uses = LastUsesIn(b);
  EXPECT_EQ(uses.of[static_cast<size_t>(flag)], 0);
  EXPECT_EQ(uses.of[static_cast<size_t>(in)], 2);
}

}  // namespace
}  // namespace pteproof
