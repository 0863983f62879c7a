// `pteproof run`, `diff` and `test` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kModels = std::string(PTEPROOF_CORPUS_DIR) + "/real/models/";
const std::string kBugs = std::string(PTEPROOF_CORPUS_DIR) + "/real/bugs/";
const std::string kCases = std::string(PTEPROOF_CORPUS_DIR) + "/cases/";

TEST(RunCommand, AgreesWithARecordedModel) {
  const CommandResult result = RunCommand({"run", kModels + "get_identity/get_identity.pte"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("5 calls agree, 0 differ"));
}

TEST(RunCommand, MakesUpInputsWhereNobodyRecordedAny) {
  const TempFolder folder;
  const std::string program =
      folder.Write("a.pte", ReadText(kModels + "get_identity/get_identity.pte"));
  const CommandResult result = RunCommand({"run", program});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("ran      random[0] "));
  EXPECT_EQ(RunCommand({"run", program}).out, result.out);
  EXPECT_NE(RunCommand({"run", program, "--seed", "1"}).out, result.out);
}

TEST(RunCommand, TaggedProvesAStraightLine) {
  const CommandResult result = RunCommand({"run", kModels + "get_identity/get_identity.pte",
                                           "--mode", "tagged", "--policy", "share-1-2"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("5 calls clean, 0 with a wrong byte"));
  EXPECT_THAT(result.out, HasSubstr("Proof: "));
}

TEST(RunCommand, TaggedNamesReaderAndWriters) {
  const CommandResult result =
      RunCommand({"run", kBugs + "cond-siblings/cond-siblings.pte", "--mode", "tagged"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, ContainsRegex("wrong .*instruction [0-9]+ needs value [0-9]+ in bank 1 "
                                        ".*it must see the bytes that instruction [0-9]+ wrote"));
  EXPECT_THAT(result.out, Not(HasSubstr("Proof")));
}

TEST(RunCommand, TaggedSaysWhyItIsNotAProof) {
  const CommandResult result =
      RunCommand({"run", kBugs + "cond-siblings-ok/cond-siblings-ok.pte", "--mode", "tagged"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("It is not a proof: 'forward' has jumps."));
}

TEST(DiffCommand, SaysWhereBytesAreLost) {
  const CommandResult result =
      RunCommand({"diff", kBugs + "cond-siblings/cond-siblings.pte", "--policy", "private"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("differs "));
  EXPECT_THAT(result.out, HasSubstr("it must see the bytes that instruction"));
  EXPECT_EQ(RunCommand({"diff", kBugs + "cond-siblings-ok/cond-siblings-ok.pte"}).exit_code, 0);
}

TEST(RunCommand, SaysWhoseOutputsAWrongPlanGives) {
  const std::string program = kBugs + "cond-siblings/cond-siblings.pte";
  const CommandResult run = RunCommand({"run", program});
  EXPECT_THAT(run.out, HasSubstr("9 results equal\nExecuTorch's, 0 equal PyTorch's. --compare "));
  EXPECT_EQ(RunCommand({"run", program, "--compare", "eager"}).exit_code, 1);
  const CommandResult eval = RunCommand({"eval", program});
  EXPECT_THAT(eval.out, HasSubstr("0 results equal\nExecuTorch's, 9 equal PyTorch's. --compare "));
  EXPECT_EQ(RunCommand({"eval", program, "--compare", "eager"}).exit_code, 0);
}

TEST(TestCommand, CountsCasesAndCalls) {
  const CommandResult result = RunCommand({"test", "--cases", "20", "--statistics"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("20 cases from seed 0, "));
  EXPECT_THAT(result.out, HasSubstr("nodes, median"));
}

TEST(TestCommand, ReplaysAStoredCase) {
  const std::string folder = kCases + "view_of_view_in_loop";
  const CommandResult result = RunCommand({"test", "--replay", folder});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("passes now"));
}

TEST(TestCommand, TriesWhatFailedBeforeFirst) {
  const TempFolder folder;
  const std::string there = kCases + "view_of_view_in_loop/";
  std::string path;
  for (const char* name : {"case.module", "setting.txt", "calls.json", "calls.bin"}) {
    path = folder.Write(name, ReadText(there + name));
  }
  const std::string base = fs::path(path).parent_path();
  const CommandResult result = RunCommand({"test", "--cases", "2", "--keep", base});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, ContainsRegex("passes now\n2 cases from seed 0"));
}

TEST(TestCommand, ComplainsOfAFolderWithoutACase) {
  const TempFolder folder;
  const std::string base = fs::path(folder.Write("other.txt", "")).parent_path();
  const CommandResult result = RunCommand({"test", "--replay", base});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.err, HasSubstr("case.module: cannot be read"));
}

}  // namespace
}  // namespace pteproof
