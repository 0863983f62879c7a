#include "tests/runtime/writer/random_program.h"

#include "tests/runtime/writer/written.h"
#include "tests/support/method_builder.h"
#include "tests/support/method_recipe.h"

namespace pteproof {
namespace {

TEST(RandomPrograms, LoseNothingWhenWritten) {
  RecordProperty("slow", "draws many random cases");
  for (uint32_t seed = 0; seed < 3000 && !testing::Test::HasFailure(); ++seed) {
    const RandomProgram made = MakeRandomProgram(seed);
    ExpectSurvives(made.program, "seed " + std::to_string(seed));
  }
}

TEST(RandomPrograms, DifferFromEachOther) {
  const RandomProgram first = MakeRandomProgram(1);
  int same = 0;
  for (uint32_t seed = 2; seed < 100; ++seed)
    same += SameProgram(first.program, MakeRandomProgram(seed).program) ? 1 : 0;
  EXPECT_EQ(same, 0);
}

TEST(RandomPrograms, OfRecipesLoseNothingWhenWritten) {
  std::mt19937 random(7);
  for (int i = 0; i < 500 && !testing::Test::HasFailure(); ++i) {
    const Recipe recipe = RandomRecipe(random, {.jumps = true, .jumps_back = true});
    Program program = ProgramOf({MethodOf(recipe)});
    program.constants = {Bytes(), TextBytes("12345678")};  // what index_put indexes with
    ExpectSurvives(program, Words(recipe));
  }
}

}  // namespace
}  // namespace pteproof
