// Stores in methods put together by hand: which come earlier, and as early as what they pass lets
// them.
#include "planner/replan/early_stores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

EarlyStores EarlyIn(const Program& program) {
  return StoreEarly(program, WebsOf(program, nullptr));
}

// new = state + x; a = new * new; b = a + a; state.copy_(new). All at places of their own.
struct StoredStep {
  MethodBuilder m;
  int32_t state = m.Planned(1, 0, {4}, "state");
  int32_t x = m.Planned(1, 16, {4});
  int32_t no = m.Bool(false);  // as the stores' own literals
  int32_t fresh = m.Planned(1, 32, {4});
  int32_t a = m.Planned(1, 48, {4});
  int32_t b = m.Planned(1, 64, {4});

  StoredStep() {
    m.Input(x);
    m.Add(state, x, fresh);
    m.Mul(fresh, fresh, a);
  }

  std::vector<int32_t> NowAt() {
    m.Output(b);
    return EarlyIn(ProgramOf({m.Build()})).now_at.front();
  }
};

TEST(StoreEarlyTest, PutsAStoreBehindWhatMakesItsValue) {
  StoredStep step;
  step.m.Add(step.a, step.a, step.b);
  step.m.Copy(step.state, step.fresh);
  EXPECT_THAT(step.NowAt(), ElementsAre(0, 2, 3, 1));
}

TEST(StoreEarlyTest, LetsOldContentsBeReadFirst) {
  StoredStep step;
  step.m.Add(step.a, step.state, step.b);
  step.m.Copy(step.state, step.fresh);
  EXPECT_THAT(step.NowAt(), IsEmpty());
}

TEST(StoreEarlyTest, StaysBehindThePartThatAnotherValueReads) {
  StoredStep step;
  const int32_t half = step.m.Planned(1, 0, {2});  // of the state's bytes
  const int32_t c = step.m.Planned(1, 80, {2});
  step.m.Add(half, half, c);
  step.m.Add(step.a, step.a, step.b);
  step.m.Copy(step.state, step.fresh);
  EXPECT_THAT(step.NowAt(), ElementsAre(0, 1, 2, 4, 3));
}

TEST(StoreEarlyTest, StaysBehindAWriteOverWhatItStores) {
  StoredStep step;
  step.m.Add(step.a, step.a, step.fresh);
  step.m.Add(step.a, step.a, step.b);
  step.m.Copy(step.state, step.fresh);
  EXPECT_THAT(step.NowAt(), ElementsAre(0, 1, 2, 4, 3));
}

TEST(StoreEarlyTest, KeepsTheOrderOfTwoStoresToOneBuffer) {
  StoredStep step;
  step.m.Add(step.a, step.a, step.b);
  step.m.Copy(step.state, step.fresh);
  step.m.Copy(step.state, step.a);
  EXPECT_THAT(step.NowAt(), ElementsAre(0, 2, 3, 1, 4));
}

// It would use a value before others that are numbered ahead of it were made.
TEST(StoreEarlyTest, LeavesAStoreWhoseLiteralHasNoEqualAhead) {
  MethodBuilder m;
  const int32_t state = m.Planned(1, 0, {4}, "state");
  const int32_t x = m.Planned(1, 16, {4});
  const int32_t y = m.Planned(1, 32, {4});
  m.Input(x);
  m.Add(state, x, y);
  m.Mul(x, x, m.Planned(1, 48, {4}));
  m.Copy(state, y);
  EXPECT_THAT(EarlyIn(ProgramOf({m.Build()})).now_at.front(), IsEmpty());
}

TEST(StoreEarlyTest, TakesALiteralFromAhead) {
  StoredStep step;
  step.m.Add(step.a, step.a, step.b);
  step.m.Copy(step.state, step.fresh);
  const EarlyStores early = EarlyIn(ProgramOf({step.m.Build()}));
  const Method& method = early.program.methods.front();
  const auto args = method.Ints(method.instructions[1].args);
  EXPECT_THAT(std::vector<int32_t>(args.begin(), args.end()),
              ElementsAre(step.state, step.fresh, step.no, step.state));
}

TEST(StoreEarlyTest, LeavesCopiesToOtherValues) {
  StoredStep step;
  const int32_t c = step.m.Planned(1, 80, {4});
  step.m.Add(step.a, step.a, step.b);
  step.m.Copy(c, step.fresh);
  EXPECT_THAT(step.NowAt(), IsEmpty());
}

}  // namespace
}  // namespace pteproof::planner
