#include "fuzz/mutate/plan/extremes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "pteproof/read.h"
#include "runtime/file_rules.h"
#include "tests/fuzz/mutate/inputs.h"

namespace pteproof {
namespace {

TEST(MutateExtremes, IsRefusedByEveryRuleForNumbers) {
  std::set<std::string_view> rules;
  uint64_t seed = 0;
  for (const fuzz::Buffer& program : SeedPrograms()) {
    for (int i = 0; i < 40; ++i) {
      fuzz::Random random(++seed);
      const auto changed = fuzz::plan::MutateExtremes(program, random);
      if (!changed) continue;
      const auto read = ReadProgram(*changed);
      if (read.ok()) continue;
      for (const Finding& finding : read.error()) rules.insert(finding.rule);
    }
  }
  // Nothing of them says that the file is damaged: it is written whole.
  EXPECT_THAT(rules, testing::IsSupersetOf({rule::kFileTensorShape, rule::kFileTensorMemory,
                                            rule::kFileDimOrder, rule::kFileListItem,
                                            rule::kFileArguments, rule::kFileInstruction,
                                            rule::kFileJump, rule::kFileMove, rule::kFileDevice}));
  EXPECT_THAT(rules, testing::Not(testing::Contains(rule::kFileFlatbuffer)));
  EXPECT_THAT(rules, testing::Not(testing::Contains(rule::kFileHeader)));
}

TEST(MutateExtremes, GivesNothingForWhatIsNoProgram) {
  fuzz::Random random(1);
  EXPECT_FALSE(fuzz::plan::MutateExtremes(fuzz::Buffer(200, std::byte{1}), random));
}

}  // namespace
}  // namespace pteproof
