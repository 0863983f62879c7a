// Values and instructions that come in between, and what they move.
#include "planner/repair/method_editor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;

TEST(MethodEditorTest, NumbersNewValuesWhereTheyAreAsked) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  const int32_t list = m.TensorList({x, y});
  m.Add(x, x, y);
  m.Output(y);
  MethodEditor editor(m.Build());
  const int32_t first = editor.AddTensor(*m.method().TensorOf(x), -1);
  const int32_t behind_x = editor.AddTensor(*m.method().TensorOf(x), x);
  const Method edited = editor.Take();
  EXPECT_EQ(editor.values()[static_cast<size_t>(first)], 0);
  EXPECT_EQ(editor.values()[static_cast<size_t>(x)], 1);
  EXPECT_EQ(editor.values()[static_cast<size_t>(behind_x)], 2);
  EXPECT_EQ(editor.values()[static_cast<size_t>(y)], 3);
  EXPECT_THAT(edited.inputs, ElementsAre(1));
  EXPECT_THAT(edited.outputs, ElementsAre(3));
  const auto args = edited.Ints(edited.instructions[0].args);
  EXPECT_EQ(args[0], 1);
  EXPECT_EQ(args.back(), 3);
  const int32_t list_at = editor.values()[static_cast<size_t>(list)];
  EXPECT_THAT(edited.Ints(edited.values[static_cast<size_t>(list_at)].items), ElementsAre(1, 3));
}

// 0: jump to 2; 1: back to 1 ... what is put ahead of 1 or 2 is met by the jump forward alone.
TEST(MethodEditorTest, JumpsForwardMeetWhatIsPutAheadAndJumpsBackDoNot) {
  MethodBuilder m;
  const int32_t which = m.Planned(1, 0, {}, {}, ScalarType::kBool);
  const int32_t x = m.Planned(1, 16, {4});
  m.Input(which);
  m.Input(x);
  const int32_t y = m.Planned(1, 32, {4});
  m.JumpFalse(which, 1);
  m.Add(x, x, y);
  m.JumpFalse(which, 1);
  m.Output(y);
  MethodEditor editor(m.Build());
  const int32_t op = editor.AddOperator(m.method().operators[0]);
  editor.InsertCall(1, op, m.method().Ints(m.method().instructions[1].args));
  const Method edited = editor.Take();
  ASSERT_EQ(edited.instructions.size(), 4U);
  EXPECT_EQ(edited.instructions[0].other, 1);  // to what is put ahead
  EXPECT_EQ(edited.instructions[3].other, 2);  // to the instruction itself
  EXPECT_THAT(editor.instructions(), ElementsAre(0, 2, 3, 4));
}

TEST(MethodEditorTest, ChangesAnArgumentOfOneCallAlone) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, x, y);
  m.Output(y);
  MethodEditor editor(m.Build());
  editor.SetArgument(0, 1, y);
  editor.SetOutput(0, x);
  const Method edited = editor.Take();
  EXPECT_EQ(edited.Ints(edited.instructions[0].args)[0], x);
  EXPECT_EQ(edited.Ints(edited.instructions[0].args)[1], y);
  EXPECT_THAT(edited.outputs, ElementsAre(x));
}

}  // namespace
}  // namespace pteproof::planner
