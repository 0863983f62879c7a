// Ctrl-C and SIGTERM, sent to each verb that can run for long.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/cli/running_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// What the command has to end within, of which a sanitized build on a busy machine needs a part to
// be scheduled at all.
constexpr double kSeconds = PTEPROOF_SANITIZED == 1 ? 5 : 2;
constexpr std::chrono::milliseconds kUnderWay(PTEPROOF_SANITIZED == 1 ? 1500 : 400);

// A table of which no search shows the optimum soon: many storages of nearly one size.
std::string HardTable() {
  uint64_t state = 1;
  const auto draw = [&state](uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33U) % below;
  };
  constexpr int kStorages = 400;
  std::string table = "id,lower,upper,size\n";
  for (int i = 0; i < kStorages; ++i) {
    const uint64_t lower = draw(150);
    const uint64_t upper = lower + 1 + draw(25);
    table += fmt::format("s{},{},{},{}\n", i, lower, upper, 50 + draw(10));
  }
  return table;
}

struct LongRun {
  std::string name;
  std::vector<std::string> arguments;
};

void PrintTo(const LongRun& run, std::ostream* out) {
  *out << run.name;
}

// Of TABLE the test makes a file.
std::vector<LongRun> LongRuns() {
  const std::string real = PTEPROOF_CORPUS_DIR "/real";
  const std::string model = real + "/models/counter/counter.pte";
  return {
      {"prove", {"prove", "--no-manifest", PTEPROOF_CORPUS_DIR}},
      {"provePlanner", {"prove", "--planner", "--storages", "5"}},
      {"test", {"test", "--time", "600"}},
      {"placeExact", {"place", "--algorithm", "exact", "--time", "600", "TABLE"}},
      {"checkOptimum", {"check", "--optimum", "--timeout", "600", "-j", "2", real}},
      {"diff", {"diff", "--sequences", "1000000", model}},
      {"mutants", {"mutants", "--seeds", "50"}},
  };
}

class Interruption : public ::testing::TestWithParam<LongRun> {
 protected:
  std::vector<std::string> Arguments() {
    std::vector<std::string> arguments = GetParam().arguments;
    for (std::string& each : arguments) {
      if (each == "TABLE") each = folder_.Write("hard.csv", HardTable());
    }
    return arguments;
  }

  // What runs in the end: a program of its own for mutants, which some builds do not have.
  static std::string Program() {
    const std::filesystem::path command = PTEPROOF_COMMAND;
    if (GetParam().name != "mutants") return command;
    return command.parent_path() / "pteproof-mutants";
  }

  void ExpectEnd(int signal, int code, const std::string& name) {
    if (!std::filesystem::exists(Program())) return;
    RunningCommand command(Arguments());
    command.WaitUntilItWatches(Program());
    std::this_thread::sleep_for(kUnderWay);
    command.Send(signal);
    const CommandResult result = command.Wait(kSeconds);
    EXPECT_EQ(result.exit_code, code) << result.out << result.err;
    EXPECT_THAT(result.err, ContainsRegex("pteproof: " + GetParam().arguments.front() +
                                          ": stopped by " + name + "; so far: [a-z]"));
    EXPECT_TRUE(result.out.empty() || result.out.back() == '\n') << result.out;
  }

  TempFolder folder_;
};

TEST_P(Interruption, ByCtrlCEndsTheVerb) {
  ExpectEnd(SIGINT, 130, "SIGINT");
}

TEST_P(Interruption, BySigtermEndsTheVerb) {
  ExpectEnd(SIGTERM, 143, "SIGTERM");
}

INSTANTIATE_TEST_SUITE_P(Verbs, Interruption, ::testing::ValuesIn(LongRuns()),
                         [](const auto& info) { return info.param.name; });

TEST(InterruptionOfWrites, LeavesTheOldFileWhole) {
  const TempFolder folder;
  const std::string table = folder.Write("hard.csv", HardTable());
  const std::string output = folder.Write("placed.csv", "what was there\n");
  RunningCommand command({"place", "--algorithm", "exact", "--time", "600", table, "-o", output});
  command.WaitUntilItWatches();
  std::this_thread::sleep_for(kUnderWay);
  command.Send(SIGTERM);
  EXPECT_EQ(command.Wait(kSeconds).exit_code, 143);
  EXPECT_EQ(ReadText(output), "what was there\n");
  EXPECT_EQ(FilesBelow(folder.path()).size(), 2U);
}

TEST(InterruptionThatIsIgnored, StaysIgnored) {
  std::signal(SIGINT, SIG_IGN);  // as a shell does for what it runs in the background
  RunningCommand command({"test", "--time", "600"});
  std::signal(SIGINT, SIG_DFL);
  command.WaitUntilItWatches();
  std::this_thread::sleep_for(kUnderWay);
  command.Send(SIGINT);
  std::this_thread::sleep_for(kUnderWay);
  EXPECT_TRUE(command.Runs());
  command.Send(SIGTERM);
  EXPECT_EQ(command.Wait(kSeconds).exit_code, 143);
}

TEST(InterruptionOfMany, TellsHowManyFilesAreChecked) {
  RunningCommand command(
      {"check", "--optimum", "--timeout", "600", "-j", "1", PTEPROOF_CORPUS_DIR "/real"});
  command.WaitUntilItWatches();
  std::this_thread::sleep_for(kUnderWay);
  command.Send(SIGINT);
  EXPECT_THAT(command.Wait(kSeconds).err, ContainsRegex("so far: checked [0-9]+ of [0-9]+\n$"));
}

}  // namespace
}  // namespace pteproof
