// Names of which a plan tells whose bytes they stand for, and one of which it does not.
#include "planner/repair/doubtful_name.h"

#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

std::optional<std::string> DoubtIn(const Method& method) {
  const auto meaning = meaning::MeaningOf(method, nullptr);
  return DoubtfulNameIn(MeantMethodOf(meaning));
}

// A view of what lies at `lower`, or at `higher`: both are inputs.
std::string DoubtOf(uint64_t lower, uint64_t higher) {
  MethodBuilder m;
  m.Input(m.Planned(1, lower, {4}));
  m.Input(m.Planned(1, higher, {4}));
  const int32_t view = m.Planned(1, 0, {2, 2});
  const int32_t y = m.Planned(1, 64, {2, 2});
  m.Add(view, view, y);
  m.Output(y);
  const Method method = m.Build();
  return DoubtIn(method).value_or("");
}

TEST(DoubtfulNameTest, TwoInputsInOnePlaceLeaveAViewOpen) {
  EXPECT_EQ(DoubtOf(0, 0), "v2 may be a name of v1 or of v0: the plan has both in one place");
}

TEST(DoubtfulNameTest, InputsThatLieApartDoNot) {
  EXPECT_EQ(DoubtOf(0, 16), "");
  EXPECT_EQ(DoubtOf(16, 0), "");
}

// A value that is dead when the next one comes to its place is no rival.
TEST(DoubtfulNameTest, AValueThatNobodyReadsAnyMoreIsNoRival) {
  for (const bool reads_later : {false, true}) {
    MethodBuilder m;
    const int32_t x = m.Planned(1, 32, {4});
    m.Input(x);
    const int32_t a = m.Planned(1, 0, {4});
    m.Add(x, x, a);
    const int32_t b = m.Planned(1, 0, {4});
    m.Mul(x, x, b);
    const int32_t view = m.Planned(1, 0, {2, 2});
    const int32_t y = m.Planned(1, 48, {2, 2});
    m.Add(view, view, y);
    m.Output(y);
    if (reads_later) m.Output(a);
    const Method method = m.Build();
    EXPECT_EQ(DoubtIn(method).has_value(), reads_later);
  }
}

// A view of what et_view names: the bytes of that lie elsewhere.
TEST(DoubtfulNameTest, ANameOfBytesThatNothingWritesIsInDoubt) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  m.Add(x, x, a);
  const int32_t moved = m.Planned(1, 32, {4});
  m.Call("executorch_prim::et_view.default", {a, m.Int(2), moved});
  const int32_t view = m.Planned(1, 32, {4});
  for (const uint64_t at : {48U, 64U, 80U}) {
    const int32_t y = m.Planned(1, at, {4});
    m.Add(view, moved, y);
    m.Output(y);
  }
  EXPECT_EQ(DoubtIn(m.Build()),
            "v5 is a name of bytes that nothing writes: those of its source lie elsewhere");
}

}  // namespace
}  // namespace pteproof::planner
