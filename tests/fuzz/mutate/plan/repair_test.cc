#include "fuzz/mutate/plan/repair.h"

#include <gtest/gtest.h>

#include "runtime/same_program.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

MethodBuilder TwoPlaces() {
  MethodBuilder builder;
  const int32_t a = builder.Planned(1, 0, {4});
  const int32_t b = builder.Planned(1, 16, {4});
  builder.Input(a);
  builder.Flip(a, b);
  builder.Output(b);
  return builder;
}

TEST(Repair, LeavesASoundProgramAlone) {
  const Program sound = ProgramOf({TwoPlaces().Build()});
  Program repaired = sound;
  fuzz::plan::Repair(repaired);
  EXPECT_EQ(ProgramDifference(repaired, sound), "");
}

TEST(Repair, GrowsBanksToHoldWhatLiesInThem) {
  Program program = ProgramOf({TwoPlaces().Build()});
  program.methods[0].tensors[1].offset = 100;
  fuzz::plan::Repair(program);
  EXPECT_EQ(program.methods[0].tensors[1].offset, 96U);
  EXPECT_EQ(program.methods[0].bank_sizes[1], 96U + 16U);
}

TEST(Repair, BringsFarPlacesBackAndCutsHugeBanks) {
  Program program = ProgramOf({TwoPlaces().Build()});
  program.methods[0].tensors[1].offset = uint64_t{1} << 40;
  program.methods[0].bank_sizes[1] = uint64_t{1} << 39;
  fuzz::plan::Repair(program);
  EXPECT_EQ(program.methods[0].tensors[1].offset, 0U);
  EXPECT_EQ(program.methods[0].bank_sizes[1], 16U);
}

TEST(Repair, DropsFreesOfPlannedTensors) {
  Program program = ProgramOf({TwoPlaces().Build()});
  const Program sound = program;
  program.methods[0].instructions.push_back(
      {.kind = InstructionKind::kFree, .target = 1, .other = 0, .args = {}});
  fuzz::plan::Repair(program);
  EXPECT_EQ(ProgramDifference(program, sound), "");
}

TEST(Repair, DropsItemsThatFollowTheirList) {
  MethodBuilder builder = TwoPlaces();
  const int32_t list = builder.TensorList({0, 1});
  Program program = ProgramOf({builder.Build()});
  Method& method = program.methods[0];
  method.ints[method.values[static_cast<size_t>(list)].items.first] = list;
  fuzz::plan::Repair(program);
  const auto items = method.Ints(method.values[static_cast<size_t>(list)].items);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0], 1);
}

TEST(Repair, TakesConstantsOutOfTheInputs) {
  MethodBuilder builder = TwoPlaces();
  builder.Input(builder.Constant(1, {4}));
  Program program = ProgramOf({builder.Build()});
  fuzz::plan::Repair(program);
  EXPECT_EQ(program.methods[0].inputs, std::vector<int32_t>{0});
}

}  // namespace
}  // namespace pteproof
