#include "fuzz/mutate/wire/grow_vector.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pteproof/read.h"
#include "runtime/file_rules.h"
#include "tests/fuzz/mutate/inputs.h"
#include "tests/support/wire_program.h"

namespace pteproof {
namespace {

constexpr size_t kRoom = 16'384;

bool IsDamaged(const Result<Program, std::vector<Finding>>& read) {
  return !read.ok() && std::ranges::any_of(read.error(), [](const Finding& finding) {
    return finding.rule == rule::kFileFlatbuffer || finding.rule == rule::kFileHeader ||
           finding.rule == rule::kFileRoot || finding.rule == rule::kFileSegments;
  });
}

TEST(GrowVector, LeavesTheFilesStructureWhole) {
  RecordProperty("slow", "draws many random cases");
  size_t read = 0;
  uint64_t seed = 0;
  for (const fuzz::Buffer& program : SeedPrograms()) {
    for (int i = 0; i < 20; ++i) {
      fuzz::Random random(++seed);
      const auto grown = fuzz::wire::GrowVector(program, random, kRoom);
      ASSERT_TRUE(grown.has_value());
      EXPECT_GT(grown->size(), program.size());
      EXPECT_LE(grown->size(), kRoom);
      const auto result = ReadProgram(*grown);
      EXPECT_FALSE(IsDamaged(result)) << "seed " << seed << ": " << result.error()[0].explanation;
      read += result.ok() ? 1 : 0;
    }
  }
  EXPECT_GT(read, 100U);
}

TEST(GrowVector, RepeatsWhatTheVectorHolds) {
  wire::File file;
  file.methods->push_back({});
  file.Add(wire::Text("aaa"));
  size_t longer = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    fuzz::Random random(seed);
    const auto grown = fuzz::wire::GrowVector(wire::Build(file), random, kRoom);
    ASSERT_TRUE(grown.has_value());
    const auto program = ReadProgram(*grown);
    if (!program.ok() || program.value().methods.size() != 1) continue;
    const Method& method = program.value().methods[0];
    for (const Value& value : method.values) {
      if (method.Text(value.items).starts_with("aaaa")) ++longer;
    }
  }
  EXPECT_GT(longer, 0U);
}

TEST(GrowVector, GivesUpWhereThereIsNoRoom) {
  const fuzz::Buffer program = wire::Build(wire::AddFile());
  fuzz::Random random(1);
  EXPECT_FALSE(fuzz::wire::GrowVector(program, random, program.size() + 15).has_value());
  EXPECT_FALSE(fuzz::wire::GrowVector({}, random, kRoom).has_value());
}

}  // namespace
}  // namespace pteproof
