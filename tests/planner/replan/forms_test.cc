// Each method in its own best form, on methods put together by hand.
#include "planner/replan/forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// new = state + x; a = new * new; b = a + a; state.copy_(new). All at places of their own.
Method StoreAtTheEnd(const std::string& name) {
  MethodBuilder m(name);
  const int32_t state = m.Planned(1, 0, {4}, "state");
  const int32_t x = m.Planned(1, 16, {4});
  m.Bool(false);  // as the stores' own literals
  const int32_t fresh = m.Planned(1, 32, {4});
  const int32_t a = m.Planned(1, 48, {4});
  const int32_t b = m.Planned(1, 64, {4});
  m.Input(x);
  m.Add(state, x, fresh);
  m.Mul(fresh, fresh, a);
  m.Add(a, a, b);
  m.Copy(state, fresh);
  m.Output(b);
  return m.Build();
}

// A store that nothing is saved by.
Method StoreOfAnInput(const std::string& name) {
  MethodBuilder m(name);
  const int32_t state = m.Planned(1, 0, {4}, "state");
  m.Bool(false);
  const int32_t x = m.Planned(1, 16, {4});
  const int32_t y = m.Planned(1, 32, {4});
  m.Input(x);
  m.Add(x, x, y);
  m.Copy(state, x);
  m.Output(y);
  return m.Build();
}

// Another plan, of which the store takes the end of the new value's life.
TEST(MoveStoresAndPlacesTest, SavesWhatTheNewValueHeld) {
  const Program program = ProgramOf({StoreAtTheEnd("forward")});
  const Replanned plain = MovePlaces(program, {});
  const Replanned early = MoveStoresAndPlaces(program, {});
  EXPECT_EQ(plain.banks.front().after, 64U);
  EXPECT_EQ(early.banks.front().after, 48U);
  EXPECT_THAT(early.now_at.front(), ElementsAre(0, 2, 3, 1));
}

TEST(MoveStoresAndPlacesTest, LeavesStoresThatSaveNothing) {
  EXPECT_THAT(MoveStoresAndPlaces(ProgramOf({StoreOfAnInput("forward")}), {}).now_at, IsEmpty());
}

// The form of one method is nothing to another.
TEST(MoveStoresAndPlacesTest, TakesTheBestFormOfEachMethod) {
  const Program program = ProgramOf({StoreAtTheEnd("one"), StoreOfAnInput("two")});
  const Replanned planned = MoveStoresAndPlaces(program, {});
  ASSERT_EQ(planned.now_at.size(), 2U);
  EXPECT_THAT(planned.now_at[0], ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(planned.now_at[1], IsEmpty());
  EXPECT_EQ(planned.program.methods[0].bank_sizes[1], 48U);
  const Replanned alone = MoveStoresAndPlaces(ProgramOf({StoreOfAnInput("two")}), {});
  EXPECT_EQ(planned.program.methods[1].bank_sizes[1], alone.program.methods[0].bank_sizes[1]);
}

// Two large values are made, and then made small: each may be made small before the next is made.
Program TwoLargeValues() {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  std::vector<int32_t> large;
  std::vector<int32_t> small;
  for (uint64_t n = 0; n < 2; ++n) {
    large.push_back(m.Planned(1, 16 + 160 * n, {10, 4}));
    m.Add(x, x, large.back());
  }
  for (uint64_t n = 0; n < 2; ++n) {
    small.push_back(m.Planned(1, 336 + 16 * n, {4}));
    m.Add(large[n], x, small.back());
  }
  const int32_t y = m.Planned(1, 368, {4});
  m.Add(small[0], small[1], y);
  m.Output(y);
  return ProgramOf({m.Build()});
}

TEST(MoveStoresAndPlacesTest, TakesAnotherOrderIfThatTakesFewerBytes) {
  const Program program = TwoLargeValues();
  const Replanned given = MoveStoresAndPlaces(program, {.spread = true});
  const Replanned ordered = MoveStoresAndPlaces(program, {.spread = true, .reorder = true});
  EXPECT_EQ(given.banks.front().after, 16U + 320 + 16);
  EXPECT_EQ(ordered.banks.front().after, 16U + 160 + 16 + 16);
  EXPECT_THAT(ordered.now_at.front(),
              testing::AnyOf(ElementsAre(0, 2, 1, 3, 4), ElementsAre(2, 0, 3, 1, 4)));
  // Values are numbered as they are made.
  const Method& method = ordered.program.methods.front();
  int32_t last = -1;
  for (const Instruction& call : method.instructions) {
    EXPECT_GT(method.Ints(call.args).back(), last);
    last = method.Ints(call.args).back();
  }
}

}  // namespace
}  // namespace pteproof::planner
