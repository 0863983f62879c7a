// `pteproof dev random` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

TEST(RandomCommand, PrintsEqualModulesForEqualSeeds) {
  const CommandResult result = RunCommand({"dev", "random", "--seed", "7"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("method m0("));
  EXPECT_EQ(RunCommand({"dev", "random", "--seed", "7"}).out, result.out);
  EXPECT_NE(RunCommand({"dev", "random", "--seed", "8"}).out, result.out);
}

TEST(RandomCommand, PrintsCanonicalText) {
  const TempFolder folder;
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    const std::string text = RunCommand({"dev", "random", "--seed", seed}).out;
    EXPECT_EQ(RunCommand({"dev", "fmt", folder.Write("r.module", text)}).out, text) << seed;
  }
}

TEST(RandomCommand, CountsWhatManyCasesContain) {
  const CommandResult result = RunCommand({"dev", "random", "--statistics", "--cases", "1500"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("cases                        1500\n"));
  EXPECT_THAT(result.out, HasSubstr("shared buffer"));
}

TEST(RandomCommand, CountsAsJsonLines) {
  const CommandResult result =
      RunCommand({"dev", "random", "--statistics", "--cases", "10", "--json"});
  std::istringstream lines(result.out);
  nlohmann::json last;
  for (std::string line; std::getline(lines, line);) last = nlohmann::json::parse(line);
  EXPECT_EQ(last["cases"], 10);
}

TEST(RandomCommand, TakesJsonWithStatisticsOnly) {
  EXPECT_EQ(RunCommand({"dev", "random", "--json"}).exit_code, 64);
}

}  // namespace
}  // namespace pteproof
