// Damage to plans: each kind does what its name says, and nothing else.
#include "properties/mutants/mutate_plan.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "pteproof/check.h"
#include "runtime/same_program.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof::mutants {
namespace {

Program Sound() {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t v = b.Planned(1, 32, {8});
  b.Mul(x, state, v);
  const int32_t w = b.Planned(1, 64, {8});
  b.Flip(v, w);
  b.Copy(state, w);
  b.Output(v);
  b.Output(w);
  return ProgramOf({b.Build()});
}

// The first mutation that some small draws give.
std::optional<Mutation> FirstOf(Damage damage) {
  for (size_t first = 0; first < 64; ++first) {
    size_t drawn = first;
    const auto draw = [&](size_t n) { return (drawn = drawn * 5 + 3) % n; };
    if (auto mutation = MutatePlan(Sound(), damage, draw)) return mutation;
  }
  return std::nullopt;
}

TEST(MutatePlan, FindsSomethingOfEachKindToDamage) {
  for (int d = 0; d < kDamageCount; ++d) {
    const auto damage = static_cast<Damage>(d);
    if (damage == Damage::kSwapOrder) continue;  // all instructions deal with common values
    const auto mutation = FirstOf(damage);
    ASSERT_TRUE(mutation.has_value()) << Name(damage);
    EXPECT_EQ(mutation->damage, damage);
    EXPECT_FALSE(SameProgram(Sound(), mutation->program)) << Name(damage);
    EXPECT_TRUE(mutation->what.starts_with("'step': ")) << mutation->what;
  }
}

TEST(MutatePlan, MarksResultsInPlace) {
  const auto mutation = FirstOf(Damage::kMarkInPlace);
  ASSERT_TRUE(mutation.has_value());
  EXPECT_NE(mutation->what.find("over its operand"), std::string::npos);
}

TEST(MutatePlan, SwapsOnlyWhatDealsWithDifferentValues) {
  EXPECT_FALSE(FirstOf(Damage::kSwapOrder).has_value());
}

TEST(MutatePlan, ShrunkBanksAreFoundByTheCheck) {
  const auto mutation = FirstOf(Damage::kShrinkBank);
  ASSERT_TRUE(mutation.has_value());
  EXPECT_EQ(VerdictRow(Check(Sound())), "safe safe safe");
  EXPECT_EQ(VerdictRow(Check(mutation->program)), "unsafe unsafe unsafe");
}

TEST(MutatePlan, BanksOnDevicesAreFoundByTheCheck) {
  const auto mutation = FirstOf(Damage::kMoveBank);
  ASSERT_TRUE(mutation.has_value());
  EXPECT_EQ(VerdictRow(Check(mutation->program)), "unsafe unsafe unsafe");
}

TEST(MutatePlan, StateWithoutAPlaceIsUndecided) {
  const auto mutation = FirstOf(Damage::kLosePlace);
  ASSERT_TRUE(mutation.has_value());
  EXPECT_EQ(VerdictRow(Check(mutation->program)), "undecided undecided undecided");
}

}  // namespace
}  // namespace pteproof::mutants
