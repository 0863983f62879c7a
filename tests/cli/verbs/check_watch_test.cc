// `pteproof check --watch`: again each time that a file changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/cli/running_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

const std::string kBugs = PTEPROOF_CORPUS_DIR "/real/bugs/";

// Until standard output has such a text, or a minute is over.
bool WaitForOutput(const RunningCommand& command, const std::string& text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    if (command.OutputSoFar().find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST(CheckWatch, ChecksAgainWhenAProgramChanges) {
  const TempFolder folder;
  const std::string program = folder.path() + "/m.pte";
  std::filesystem::copy_file(kBugs + "cond-siblings/cond-siblings.pte", program);
  RunningCommand command({"check", "-q", "--watch", "--no-config", program});
  ASSERT_TRUE(WaitForOutput(command, "m.pte: unsafe\n"));
  std::filesystem::copy_file(kBugs + "cond-siblings-ok/cond-siblings-ok.pte", program,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(WaitForOutput(command, "m.pte: safe\n"));
  command.Send(SIGINT);
  const CommandResult result = command.Wait(10);
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("m.pte has changed"));
}

TEST(CheckWatch, SeesAManifestThatComes) {
  const TempFolder folder;
  const std::string program = folder.path() + "/m.pte";
  std::filesystem::copy_file(kBugs + "private-state/private-state.pte", program);
  RunningCommand command({"check", "-q", "--watch", "--trust-manifests", "--no-config", program});
  ASSERT_TRUE(WaitForOutput(command, ": depends\n"));
  (void)folder.Write("m.manifest.json", R"({"pteproof": 1, "policy": "private"})");
  EXPECT_TRUE(WaitForOutput(command, ": safe with"));
}

TEST(CheckWatch, TakesNoStandardInput) {
  const CommandResult result = RunCommand({"check", "--watch", "-"});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, HasSubstr("leave --watch out"));
}

}  // namespace
}  // namespace pteproof
