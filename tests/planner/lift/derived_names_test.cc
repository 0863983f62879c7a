// The distances at which names lie in others' bytes, in methods put together by hand. Which values
// are names, and of what, is tested with meaning.
#include "planner/lift/derived_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "planner/lift/named_storages.h"
#include "planner/lift/touches.h"
#include "tests/support/elided_names.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "v5 of v4+0 before 1", or of several values.
std::string TextOf(const DerivedName& name) {
  std::string text = "v" + std::to_string(name.value) + " of";
  for (const NamedBytes& each : name.bytes) {
    text += " v" + std::to_string(each.of) + "+" + std::to_string(each.at);
  }
  text += " before " + std::to_string(name.made_before);
  return name.is_buffer ? text + ", a buffer" : text;
}

std::vector<std::string> NamesIn(const Method& method) {
  std::vector<std::string> texts;
  for (const DerivedName& name : DerivedNamesOf(meaning::MeaningOf(method, nullptr))) {
    texts.push_back(TextOf(name));
  }
  return texts;
}

NamedStorages StoragesIn(const Method& method) {
  const auto meaning = meaning::MeaningOf(method, nullptr);
  return NamedStoragesOf(meaning, TouchesOf(meaning), DerivedNamesOf(meaning));
}

// The view's number tells that it was made before the second addition.
TEST(DerivedNames, AViewLiesWithTheValueThatItNames) {
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
  EXPECT_THAT(NamesIn(m.Build()), ElementsAre("v3 of v1+0 before 1"));
}

TEST(DerivedNames, AViewIsOfNothingThatAnotherBranchMakes) {
  const ElidedView elided = ViewInABranch(true);
  const auto names = DerivedNamesOf(meaning::MeaningOf(elided.method, nullptr));
  ASSERT_EQ(names.size(), 1U);
  EXPECT_EQ(names.front().value, elided.view);
  ASSERT_EQ(names.front().bytes.size(), 1U);
  EXPECT_EQ(names.front().bytes.front().of, elided.base);
}

TEST(DerivedNames, ANameIsOfNothingThatAnotherBranchMadeInTheRoundBefore) {
  for (const Elided kind : {Elided::kView, Elided::kSlice, Elided::kConcatenation}) {
    const ElidedView elided = NameInABranchOfALoop(kind, true);
    const auto names = DerivedNamesOf(meaning::MeaningOf(elided.method, nullptr));
    ASSERT_EQ(names.size(), 1U);
    EXPECT_EQ(names.front().value, elided.view);
    EXPECT_EQ(names.front().bytes.front().of, elided.base);
  }
}

TEST(DerivedNames, PartsOfAConcatenationLieOneBehindTheOther) {
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
  EXPECT_THAT(NamesIn(m.Build()), ElementsAre("v4 of v1+0 v2+16 before 2"));
  const NamedStorages storages = StoragesIn(m.Build());
  EXPECT_TRUE(storages.Share(m.method(), whole, a));
  EXPECT_TRUE(storages.Share(m.method(), whole, b));
  EXPECT_FALSE(storages.Share(m.method(), a, b));
  EXPECT_EQ(storages.storage[static_cast<size_t>(a)], storages.storage[static_cast<size_t>(b)]);
  EXPECT_EQ(storages.at[static_cast<size_t>(b)] - storages.at[static_cast<size_t>(a)], 16);
}

TEST(DerivedNames, ASliceBeginsBehindTheFirstByteOfItsBase) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4, 2});
  m.Input(x);
  const int32_t rows = m.Planned(1, 8, {2, 2});
  const int32_t y = m.Planned(1, 32, {2, 2});
  m.Add(rows, rows, y);
  m.Output(y);
  EXPECT_THAT(NamesIn(m.Build()), ElementsAre("v1 of v0+-8 before 0"));
}

// A view of the buffer by its name, whatever lies there too.
TEST(DerivedNames, ASecondNameOfABufferIsOneOfTheBuffer) {
  for (const bool is_written : {false, true}) {
    MethodBuilder m;
    const int32_t state = m.Planned(2, 0, {4}, "state");
    const int32_t x = m.Planned(1, 0, {4});
    m.Input(x);
    const int32_t view = m.Planned(2, 0, {4}, "state");
    const int32_t y = m.Planned(1, 16, {4});
    m.Add(x, x, y);
    m.Copy(is_written ? view : state, x);
    m.Add(view, y, y);
    m.Output(y);
    EXPECT_THAT(NamesIn(m.Build()),
                ElementsAre(is_written ? "v2 of v0+0 before 0, a buffer" : "v2 of v0+0 before 0"));
  }
}

// A clone in the place of its operand names it, but the call makes it wherever it lies.
TEST(DerivedNames, ACopyOntoItselfIsNone) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t same = m.Planned(1, 0, {4});
  m.Call("aten::clone.out", {x, m.None(), same, same});
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(same, same, y);
  m.Output(y);
  const Method method = m.Build();
  const auto meaning = meaning::MeaningOf(method, nullptr);
  ASSERT_EQ(meaning.effects.renames.size(), 1U);
  EXPECT_TRUE(CopiesIfApart(meaning, meaning.effects.renames.front()));
  EXPECT_THAT(DerivedNamesOf(meaning), IsEmpty());
  const MethodTouches touches = TouchesOf(meaning);
  EXPECT_THAT(touches.of_instruction[0].reads, ElementsAre(x));
  EXPECT_THAT(touches.of_instruction[0].fills, ElementsAre(same));
}

// Without the exporter's numbering it is taken once, where all of its uses can see it.
TEST(DerivedNames, ANameOfTwoPathsIsTakenBeforeTheyPart) {
  MethodBuilder m;
  const int32_t which = m.Planned(1, 0, {}, {}, ScalarType::kBool);
  const int32_t x = m.Planned(1, 16, {4});
  m.Input(which);
  m.Input(x);
  const int32_t last = m.Planned(1, 80, {4});
  const int32_t first = m.Planned(1, 64, {4});
  const int32_t a = m.Planned(1, 32, {4});
  const int32_t view = m.Planned(1, 32, {4});
  m.Add(x, x, a);
  const int32_t jump = m.JumpFalse(which, 0);
  m.Add(view, x, first);
  m.SetTarget(jump, m.Next());
  m.Add(view, x, last);
  m.Output(last);
  EXPECT_THAT(NamesIn(m.Build()), ElementsAre("v5 of v4+0 before 1"));
}

// Two branches give their results to one value: it has no storage of its own.
TEST(DerivedNames, WhatAMoveMadeLiesWithItsFirstSource) {
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
  EXPECT_THAT(NamesIn(m.Build()), IsEmpty());
  const NamedStorages storages = StoragesIn(m.Build());
  EXPECT_TRUE(storages.Share(m.method(), result, a));
  EXPECT_FALSE(storages.Share(m.method(), result, b));
}

}  // namespace
}  // namespace pteproof::planner
