#include "fuzz/shrink/shrink_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pteproof/read.h"
#include "pteproof/write.h"
#include "tests/support/files.h"

namespace pteproof::fuzz {
namespace {

std::vector<std::byte> BytesOf(const char* name) {
  return ReadBytes(std::filesystem::path(PTEPROOF_CORPUS_DIR) / "seeds" / "program" / name);
}

bool HasJump(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    return std::ranges::any_of(method.instructions, [](const Instruction& i) {
      return i.kind == InstructionKind::kJumpFalse;
    });
  });
}

TEST(ShrinkProgram, LeavesWhatTheFailureNeedsAndNothingElse) {
  const auto bytes = BytesOf("models-cond_nested.pte");
  const auto program = ReadProgram(bytes);
  ASSERT_TRUE(program.ok());
  ASSERT_GT(program.value().methods[0].instructions.size(), 5U);
  const Program small = ShrunkProgram(program.value(), HasJump);
  ASSERT_EQ(small.methods.size(), 1U);
  ASSERT_EQ(small.methods[0].instructions.size(), 1U);
  EXPECT_TRUE(small.methods[0].inputs.empty());
  EXPECT_TRUE(small.methods[0].outputs.empty());
  EXPECT_EQ(std::ranges::count_if(small.methods[0].values,
                                  [](const Value& v) { return v.kind != ValueKind::kNull; }),
            1);
}

TEST(ShrinkProgram, AsksOnlyAboutProgramsThatAFileHolds) {
  for (const char* name :
       {"models-map_in_cond.pte", "models-xnnpack_conv.pte", "models-nested.pte"}) {
    const auto bytes = BytesOf(name);
    const auto program = ReadProgram(bytes);
    ASSERT_TRUE(program.ok());
    const size_t count = program.value().methods[0].instructions.size();
    static_cast<void>(ShrunkProgram(program.value(), [&](const Program& p) {
      const auto written = WriteProgram(p);
      EXPECT_TRUE(written.ok() && ReadProgram(written.value()).ok()) << name;
      return p.methods[0].instructions.size() + 3 > count;
    }));
  }
}

}  // namespace
}  // namespace pteproof::fuzz
