// Programs that are spread out, packed into banks of given sizes.
#include "planner/repair/pack_within.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/repair/spread.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::HasSubstr;

// x and y, of 64 bytes each, are in use at once: 128 bytes in bank 1, and 64 in bank 2.
Program TwoFullBanks() {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {16});
  const int32_t y = m.Planned(1, 64, {16});
  const int32_t z = m.Planned(2, 0, {16});
  m.Input(x);
  m.Add(x, x, y);
  m.Add(x, y, z);
  m.Output(z);
  return ProgramOf({m.Build()});
}

Packed PackedIn(const std::map<uint32_t, uint64_t>& sizes) {
  const Program program = TwoFullBanks();
  const auto meant = meaning::MeaningOf(program, nullptr);
  return PackWithin(SpreadOut(program, meant).program, BanksOf(program, sizes), meant,
                    {.spread = true});
}

TEST(PackWithin, LeavesValuesThatFitInTheirBank) {
  const Packed packed = PackedIn({{1, 128}});
  EXPECT_EQ(packed.failure, "");
  EXPECT_EQ(packed.replanned.program.methods[0].bank_sizes[1], 128U);
  EXPECT_EQ(packed.replanned.program.methods[0].bank_sizes[2], 64U);
}

TEST(PackWithin, MovesWhatDoesNotFitToAnotherBank) {
  const Packed packed = PackedIn({{1, 100}});
  EXPECT_EQ(packed.failure, "");
  EXPECT_EQ(packed.replanned.program.methods[0].bank_sizes[1], 64U);
  EXPECT_LE(packed.replanned.program.methods[0].bank_sizes[2], 128U);
}

// Four values of 64 bytes and one of 192 behind them, in use at once: what is left has 256 bytes.
TEST(PackWithin, ShrinksABankThatItsLastValueLeaves) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {16});
  const int32_t y = m.Planned(1, 64, {16});
  const int32_t w = m.Planned(1, 128, {16});
  const int32_t v = m.Planned(1, 192, {16});
  const int32_t z = m.Planned(1, 256, {48});
  m.Input(x);
  for (const int32_t made : {y, w, v}) m.Add(x, x, made);
  m.Input(z);
  for (const int32_t output : {y, w, v, z}) m.Output(output);
  const Program program = ProgramOf({m.Build()});
  const auto meant = meaning::MeaningOf(program, nullptr);
  const Packed packed = PackWithin(SpreadOut(program, meant).program,
                                   BanksOf(program, {{1, 300}, {2, 200}}), meant, {.spread = true});
  EXPECT_EQ(packed.failure, "");
  const std::vector<uint64_t>& sizes = packed.replanned.program.methods[0].bank_sizes;
  EXPECT_LE(sizes[1], 256U);
  EXPECT_EQ(sizes[2], 192U);
}

TEST(PackWithin, SaysHowManyBytesAreMissing) {
  const Packed packed = PackedIn({{1, 100}, {2, 64}});
  EXPECT_THAT(packed.failure,
              HasSubstr("bank 1 of 'forward' needs 128 bytes, 28 more than it has"));
}

TEST(PackWithin, TakesABankThatOnlyTheTargetHas) {
  const Packed packed = PackedIn({{1, 100}, {2, 64}, {3, 64}});
  EXPECT_EQ(packed.failure, "");
  const std::vector<uint64_t>& sizes = packed.replanned.program.methods[0].bank_sizes;
  ASSERT_EQ(sizes.size(), 4U);
  EXPECT_EQ(sizes[1], 64U);
  EXPECT_EQ(sizes[2], 64U);
  EXPECT_EQ(sizes[3], 64U);
}

// Of the three values in bank 1 that are in use at once, one is made after the one in bank 2 has
// died.
TEST(PackWithin, MovesAValueWhereAnotherHasDied) {
  MethodBuilder m;
  const int32_t x = m.Planned(2, 0, {16});
  const int32_t y = m.Planned(1, 0, {16});
  const int32_t w = m.Planned(1, 64, {16});
  const int32_t z = m.Planned(1, 128, {16});
  m.Input(x);
  m.Add(x, x, y);
  m.Add(y, y, w);
  m.Add(y, w, z);
  m.Output(z);
  const Program program = ProgramOf({m.Build()});
  const auto meant = meaning::MeaningOf(program, nullptr);
  const Packed packed = PackWithin(SpreadOut(program, meant).program,
                                   BanksOf(program, {{1, 128}, {2, 64}}), meant, {.spread = true});
  EXPECT_EQ(packed.failure, "");
  const std::vector<uint64_t>& sizes = packed.replanned.program.methods[0].bank_sizes;
  EXPECT_LE(sizes[1], 128U);
  EXPECT_EQ(sizes[2], 64U);
}

}  // namespace
}  // namespace pteproof::planner
