#include "fuzz/mutate/plan/mutate_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pteproof/read.h"
#include "tests/fuzz/mutate/inputs.h"

namespace pteproof {
namespace {

using fuzz::Buffer;
using fuzz::Random;

TEST(MutatePlan, GivesProgramsThatMostlyCanBeRead) {
  size_t made = 0;
  size_t read = 0;
  for (const Buffer& input : SeedPrograms()) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Random random(seed);
      const auto output = fuzz::plan::Mutate(input, random);
      if (!output) continue;
      ++made;
      if (ReadProgram(*output).ok()) ++read;
    }
  }
  EXPECT_GE(made, 1000U);
  EXPECT_GE(10 * read, 8 * made);
}

TEST(MutatePlan, GivesNothingForWhatIsNoProgram) {
  Random random(1);
  const Buffer text(100, std::byte{'x'});
  EXPECT_FALSE(fuzz::plan::Mutate(text, random));
  EXPECT_FALSE(fuzz::plan::Cross(text, SeedPrograms().front(), random));
  EXPECT_FALSE(fuzz::plan::Cross(SeedPrograms().front(), text, random));
}

TEST(CrossPlans, TakesMethodsOfTheOtherProgramWithTheirData) {
  const std::vector<Buffer> inputs = SeedPrograms();
  size_t larger = 0;
  for (size_t i = 0; i + 1 < inputs.size(); ++i) {
    for (uint64_t seed = 0; seed < 8; ++seed) {
      Random random(seed);
      const auto crossed = fuzz::plan::Cross(inputs[i], inputs[i + 1], random);
      if (!crossed) continue;
      const auto program = ReadProgram(*crossed);
      const auto first = ReadProgram(inputs[i]);
      if (!program.ok() || !first.ok()) continue;
      if (program.value().methods.size() > first.value().methods.size()) ++larger;
    }
  }
  EXPECT_GE(larger, 50U);
}

}  // namespace
}  // namespace pteproof
