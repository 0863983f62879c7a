// Manifests from outside: what `check` says of one that is not its program's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPutGet = PTEPROOF_CORPUS_DIR "/real/models/put_get/put_get.pte";

CommandResult CheckPutGet(const std::string& members) {
  const TempFolder folder;
  const std::string manifest = folder.Write("m.json", R"({"pteproof": 1, )" + members + "}");
  return RunCommand({"check", "--manifest", manifest, kPutGet});
}

TEST(ManifestOfAnotherProgram, IsRefusedWithItsFileAndThePlace) {
  const CommandResult result = CheckPutGet(R"("methods": {"put": {"values": {"999": "memory"}}})");
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("wrong-manifest"), HasSubstr("m.json does not fit the program"),
                    HasSubstr("/methods/put/values/999"), HasSubstr("has 7 values")));
}

TEST(ManifestOfAnotherProgram, IsRefusedWhateverItMisses) {
  for (const std::string members :
       {R"("methods": {"gone": {}})", R"("methods": {"put": {"inputs": [{}, {}, {}, {}, {}]}})",
        R"("methods": {"put": {"mutates_inputs": [9]}})",
        R"("methods": {"put": {"in_place_inputs": [9]}})",
        R"("methods": {"put": {"delegates": [{"index": 7, "outputs": 1}]}})",
        R"("methods": {"put": {"reads": ["zzz"]}})", R"("buffers": {"zzz": {}})",
        R"("suppress": [{"rule": "nope", "reason": "x"}])",
        R"("suppress": [{"rule": "state-split", "method": "nope", "reason": "x"}])"}) {
    EXPECT_EQ(CheckPutGet(members).exit_code, 64) << members;
  }
}

TEST(ManifestOfTheProgram, LeavesTheAssumptionOnWhatItDoesNotState) {
  constexpr const char* kAssumed = "the program has all stores of the source model";
  EXPECT_THAT(CheckPutGet(R"("policy": "share-all")").out, HasSubstr(kAssumed));
  EXPECT_THAT(RunCommand({"check", kPutGet}).out, Not(HasSubstr(kAssumed)));
}

}  // namespace
}  // namespace pteproof
