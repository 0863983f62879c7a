#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::SizeIs;

// 'inc' keeps its state at [96,128) of `bank`.
Method Inc(uint32_t bank, bool keeps_state = true) {
  MethodBuilder b("inc");
  const int32_t state = b.Planned(bank, 96, {8}, "state");
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(4, 32, {8});
  b.Add(state, x, sum);
  if (keeps_state) b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

// 'other' writes `times` values over inc's state, one after the other.
Method OtherAgain(int times) {
  MethodBuilder b("other");
  const int32_t x = b.Planned(4, 0, {8});
  b.Input(x);
  for (int i = 0; i < times; ++i) b.Add(x, x, b.Planned(1, 96, {8}));
  return b.Build();
}

TEST(StateClobbered, TellsOfAFewInstructionsOfMany) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Inc(1), OtherAgain(100)})), rule::kStateClobbered),
              SizeIs(8));
}

// A call of 'other' with two results over the state is one finding, and of very many states each
// has one at least.
TEST(StateClobbered, TellsOfEachOfVeryManyStatesOnce) {
  constexpr int kStates = 300;
  MethodBuilder inc("inc");
  MethodBuilder other("other");
  const int32_t x = inc.Planned(4, 0, {4});
  inc.Input(x);
  const int32_t y = other.Planned(4, 0, {4});
  other.Input(y);
  for (int i = 0; i < kStates; ++i) {
    const uint64_t place = 16 * static_cast<uint64_t>(i);
    const int32_t state = inc.Planned(1, place, {4}, "s" + std::to_string(i));
    const int32_t sum = inc.Planned(4, 16, {4});
    inc.Add(state, x, sum);
    inc.Copy(state, sum);
    other.Add(y, y, other.Planned(1, place, {4}));
  }
  const Report report = Check(ProgramOf({inc.Build(), other.Build()}));
  EXPECT_EQ(LinesOf(report, rule::kStateClobbered).size(), static_cast<size_t>(kStates));
  EXPECT_EQ(VerdictRow(report), "safe unsafe unsafe");
}

}  // namespace
}  // namespace pteproof
