// Changed programs, most of them with wrong plans, as text: nothing is lost.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/mutate/plan/mutate_plan.h"
#include "fuzz/mutate/random.h"
#include "pteproof/read.h"
#include "runtime/pteasm/assemble.h"
#include "runtime/pteasm/print.h"
#include "runtime/same_program.h"
#include "tests/fuzz/mutate/inputs.h"

namespace pteproof {
namespace {

using fuzz::Buffer;

TEST(ProgramText, LosesNothingOfChangedPrograms) {
  constexpr int kChanges = 12;
  size_t programs = 0;
  uint64_t seed = 0;
  for (Buffer bytes : SeedPrograms()) {
    for (int change = 0; change < kChanges; ++change) {
      fuzz::Random random(++seed);
      const auto changed = fuzz::plan::Mutate(bytes, random);
      if (!changed || !ReadProgram(*changed).ok()) continue;
      bytes = *changed;
      const auto program = ReadProgram(bytes);
      const std::string text = pteasm::Print(program.value());
      const auto made = pteasm::Assemble(text, text::NoData);
      ASSERT_TRUE(made.ok()) << made.error().front().message << "\n" << text;
      EXPECT_EQ(ProgramDifference(program.value(), made.value().text.program), "") << text;
      ++programs;
    }
  }
  EXPECT_GE(programs, 500U);
}

}  // namespace
}  // namespace pteproof
