// Values that go to another bank, and those that stay.
#include "planner/replan/change_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/replan/move_places.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

ChangedBanks ChangedIn(const Program& program, const BankChange& change) {
  return ChangeBank(program, WebsOf(program, nullptr), change, true);
}

using testing::HasSubstr;

// state = state + x; y = x * x.
struct Counter {
  MethodBuilder m;
  int32_t state = m.Planned(1, 0, {4}, "state");
  int32_t x = m.Planned(1, 16, {4});
  int32_t sum = m.Planned(1, 32, {4});
  int32_t y = m.Planned(1, 48, {4});

  Counter() {
    m.Input(x);
    m.Add(state, x, sum);
    m.Mul(x, x, y);
    m.Copy(state, sum);
    m.Output(y);
  }
};

TEST(ChangeBankTest, MovesAllThatIsNotState) {
  Counter counter;
  const ChangedBanks changed = ChangedIn(ProgramOf({counter.m.Build()}), {1, 4});
  EXPECT_EQ(changed.failure, "");
  const Method& method = changed.program.methods[0];
  EXPECT_EQ(method.TensorOf(counter.state)->bank, 1U);
  EXPECT_EQ(method.bank_sizes[1], 16U);
  for (const int32_t v : {counter.x, counter.sum, counter.y}) {
    EXPECT_EQ(method.TensorOf(v)->bank, 4U) << v;
  }
  const Replanned packed = MovePlaces(changed.program, {});
  EXPECT_EQ(packed.program.methods[0].bank_sizes[4], 48U);
}

TEST(ChangeBankTest, PutsValuesBehindThoseThatAreThere) {
  Counter counter;
  const int32_t other = counter.m.Planned(2, 0, {4}, "other");
  counter.m.Copy(other, counter.y);
  const Method method = ChangedIn(ProgramOf({counter.m.Build()}), {1, 2}).program.methods[0];
  EXPECT_EQ(method.TensorOf(other)->offset, 0U);
  EXPECT_EQ(method.TensorOf(counter.x)->offset, 64U + 16U);
}

TEST(ChangeBankTest, LeavesRoomForXnnpack) {
  Counter counter;
  counter.m.method().delegates.push_back({.id = "XnnpackBackend", .blob = {}, .specs = {}});
  const Method method = ChangedIn(ProgramOf({counter.m.Build()}), {1, 4}).program.methods[0];
  EXPECT_EQ(method.bank_sizes[4], 64U + 64U);
}

TEST(ChangeBankTest, RefusesBanksOfDevices) {
  Counter counter;
  Method method = counter.m.Build();
  method.bank_devices.push_back({.bank = 4, .device_type = 1});
  EXPECT_THAT(ChangedIn(ProgramOf({method}), {1, 4}).failure, HasSubstr("is on a device"));
}

}  // namespace
}  // namespace pteproof::planner
