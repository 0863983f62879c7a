// `pteproof eval` and `pteproof random` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kModels = std::string(PTEPROOF_CORPUS_DIR) + "/real/models/";

// A call of `m` with the integer 3, said to give `expected`.
std::string Calls(int expected) {
  return R"({"program": "a", "sequences": [{"name": "s", "calls": [{"method": "m",
    "inputs": [{"kind": "int", "value": 3}],
    "eager": [{"kind": "int", "value": )" +
         std::to_string(expected) + R"(}], "executorch": null, "truth": "eager"}]}]})";
}

CommandResult Eval(const std::string& module, const std::string& calls,
                   std::vector<std::string> options = {}) {
  const TempFolder folder;
  std::vector<std::string> arguments = {"eval", folder.Write("a.module", module), "--calls",
                                        folder.Write("calls.json", calls)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return RunCommand(arguments);
}

constexpr const char* kIdentity = "method m(%x: int) {\n  return %x\n}\n";

TEST(EvalCommand, AgreesWithARecordedModel) {
  const CommandResult result = RunCommand({"eval", kModels + "get_identity/get_identity.pte"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("agrees   interleaved[0] get\n"));
  EXPECT_THAT(result.out,
              HasSubstr("5 calls agree, 0 differ, 0 have nothing to be compared with\n"));
}

TEST(EvalCommand, RunsAModulesText) {
  const CommandResult result = Eval(kIdentity, Calls(3));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("agrees   s[0] m\n"));
}

TEST(EvalCommand, SaysWhatDiffers) {
  const CommandResult result = Eval(kIdentity, Calls(4));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("differs  s[0] m: output 0: expected 4, got 3\n"));
}

TEST(EvalCommand, NamesAnOperatorThatNobodyKnows) {
  const CommandResult result =
      Eval("method m(%x: int) {\n  %0: int = my::op(%x)\n  return %0\n}\n", Calls(3));
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 calls stop at my::op"));
}

TEST(EvalCommand, PrintsDigestsUnderHash) {
  const CommandResult result = Eval(kIdentity, Calls(4), {"--semantics", "hash"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("mixed    s[0] m: 0000000000000003\n"));
}

TEST(EvalCommand, ShowsOnlyWhatDiffersWhenQuiet) {
  EXPECT_THAT(Eval(kIdentity, Calls(3), {"-q"}).out, StartsWith("1 calls agree"));
}

TEST(EvalCommand, RefusesWhatItCannotReadOrDo) {
  const TempFolder folder;
  const std::string calls = folder.Write("calls.json", Calls(3));
  EXPECT_EQ(RunCommand({"eval", folder.path() + "/none.pte", "--calls", calls}).exit_code, 66);
  EXPECT_EQ(RunCommand({"eval", folder.Write("b.pte", "no program"), "--calls", calls}).exit_code,
            2);
  EXPECT_EQ(Eval("method", Calls(3)).exit_code, 2);
  EXPECT_EQ(Eval(kIdentity, "{").exit_code, 66);
  EXPECT_EQ(Eval(kIdentity, Calls(3), {"--compare", "nothing"}).exit_code, 64);
}

TEST(RandomCommand, PrintsEqualModulesForEqualSeeds) {
  const CommandResult result = RunCommand({"random", "--seed", "7"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("method m0("));
  EXPECT_EQ(RunCommand({"random", "--seed", "7"}).out, result.out);
  EXPECT_NE(RunCommand({"random", "--seed", "8"}).out, result.out);
}

TEST(RandomCommand, PrintsCanonicalText) {
  const TempFolder folder;
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    const std::string text = RunCommand({"random", "--seed", seed}).out;
    EXPECT_EQ(RunCommand({"fmt", folder.Write("r.module", text)}).out, text) << seed;
  }
}

}  // namespace
}  // namespace pteproof
