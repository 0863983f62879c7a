// `--loader-file`: a loader that none of the policies describes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Two methods that keep a buffer in bank 3; b puts values over a's buffer in bank 1.
constexpr const char* kTwoBanks = R"(program

method a(%x: float32[4] @2:0) banks [0, 32, 64, 16] {
  %own: float32[4] @1:0 "own"
  %common: float32[4] @3:0 "common"
  %y: float32[4] @2:16 = aten::add.out(%own, %common, 1)
  %z: float32[4] @2:32 = aten::mul.out(%y, %x)
  %own = aten::copy_(%own, %y, false)
  %common = aten::copy_(%common, %z, false)
  return %y
}

method b(%x: float32[4] @2:0) banks [0, 32, 64, 16] {
  %common: float32[4] @3:0 "common"
  %t: float32[4] @1:0 = aten::mul.out(%x, %x)
  %y: float32[4] @2:16 = aten::add.out(%t, %common, 1)
  return %y
}
)";

class LoaderFile : public testing::Test {
 protected:
  CommandResult CheckWith(const std::string& table, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"check", folder_.Write("m.pteasm", kTwoBanks), "--loader-file",
                                 folder_.Write("own.toml", table)});
    return RunCommand(words);
  }

  const TempFolder folder_;
};

// No policy shares bank 3 and keeps bank 1 private.
TEST_F(LoaderFile, SharesTheBanksOfTheTableAlone) {
  const CommandResult safe = CheckWith("[bank.3]\nshared = true\n");
  EXPECT_EQ(safe.exit_code, 0) << safe.out << safe.err;
  EXPECT_THAT(safe.out, HasSubstr("m.pteasm: safe with "));
  EXPECT_THAT(safe.out, HasSubstr("own.toml\n"));
  EXPECT_EQ(RunCommand({"check", folder_.path() + "/m.pteasm"}).exit_code, 1);  // under any policy
}

TEST_F(LoaderFile, TellsOfBanksByTheFilesIds) {
  const CommandResult split = CheckWith("[bank.1]\nshared = true\n", {"--json"});
  EXPECT_EQ(split.exit_code, 1) << split.out << split.err;
  const auto report = nlohmann::json::parse(split.out);
  EXPECT_EQ(report["verdict"], "unsafe");
  EXPECT_EQ(report["policy"], nullptr);
  bool has_clobbered = false;
  for (const auto& finding : report["findings"]) {
    if (finding["rule"] != "state-clobbered") continue;
    has_clobbered = true;
    EXPECT_EQ(finding["bank"], 1);
    EXPECT_THAT(finding["explanation"].get<std::string>(),
                AllOf(HasSubstr("bank 1"), Not(HasSubstr("bank 3"))));
  }
  EXPECT_TRUE(has_clobbered);
  std::vector<int> banks;
  for (const auto& bank : report["banks"]) banks.push_back(bank["bank"]);
  EXPECT_EQ(banks, (std::vector<int>{1, 2, 3, 1, 2, 3}));
}

TEST_F(LoaderFile, GivesBanksTheirSizes) {
  const CommandResult fits = CheckWith("[bank.2]\nsize = 64\n[bank.3]\nshared = true\n");
  EXPECT_EQ(fits.exit_code, 0) << fits.out;
  const CommandResult small =
      CheckWith("[bank.2]\nsize = 63\n[bank.3]\nshared = true\n", {"--json"});
  EXPECT_EQ(small.exit_code, 1);
  const auto report = nlohmann::json::parse(small.out);
  EXPECT_EQ(report["verdict"], "safe");
  EXPECT_EQ(report["loads"], false);
  EXPECT_THAT(report["findings"][0]["explanation"].get<std::string>(),
              HasSubstr("needs bank 2 with 64 bytes"));
  EXPECT_EQ(report["findings"][0]["bank"], 2);
}

TEST_F(LoaderFile, ComparesDevices) {
  const CommandResult other =
      CheckWith("[bank.1]\ndevice = \"cuda\"\n[bank.3]\nshared = true\n", {"--json"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(other.out)["loads"], false);
  EXPECT_EQ(CheckWith("[bank.1]\ndevice = \"cpu\"\n[bank.3]\nshared = true\n").exit_code, 0);
}

TEST_F(LoaderFile, NamesItsMistakes) {
  for (const auto& [table, what] : std::vector<std::pair<std::string, std::string>>{
           {"[bank.0]\n", "line 1: /bank/0: is not a memory id"},
           {"[bank.2]\nsiz = 3\n", "line 2: /bank/2"},
           {"[bank.2]\nsize = -3\n", "line 2: /bank/2/size"},
           {"[bank.2]\nshared = 1\n", "line 2: /bank/2/shared"},
           {"[bank.2]\ndevice = \"tpu\"\n", "line 2: /bank/2/device"},
           {"bank = 3\n", "line 1: /bank"},
           {"[bank\n", "is not TOML"}}) {
    const CommandResult result = CheckWith(table);
    EXPECT_EQ(result.exit_code, 64) << table;
    EXPECT_THAT(result.err, HasSubstr(what));
  }
  EXPECT_EQ(RunCommand({"check", folder_.path() + "/m.pteasm", "--loader-file",
                        folder_.path() + "/none.toml"})
                .exit_code,
            66);
  EXPECT_EQ(CheckWith("", {"--policy", "private"}).exit_code, 64);
}

// A table for which no policy does the same with the ids of the program.
TEST_F(LoaderFile, IsRefusedByReplanIfNoPolicyDoesTheSame) {
  const auto replan = [&](const std::string& table) {
    return RunCommand({"replan", folder_.Write("m.pteasm", kTwoBanks), "-o",
                       folder_.path() + "/new.pte", "--loader-file",
                       folder_.Write("own.toml", table)});
  };
  const CommandResult refused = replan("[bank.3]\nshared = true\n");
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, HasSubstr("exactly banks 1 and 2"));
}

// The plan of this method stays as it is.
TEST_F(LoaderFile, HoldsReplanToTheSizesOfBanks) {
  const std::string program = folder_.Write("one.pteasm", R"(program

method forward(%x: float32[4] @1:0) banks [0, 256] {
  %y: float32[4] @1:128 = aten::mul.out(%x, %x)
  return %y
}
)");
  const auto replan = [&](const std::string& table) {
    return RunCommand({"replan", program, "-o", folder_.path() + "/new.pte", "--loader-file",
                       folder_.Write("own.toml", table)});
  };
  const CommandResult refused = replan("[bank.1]\nsize = 255\n");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("nothing is written: the new plan does not fit the loader"));
  EXPECT_NE(RunCommand({"check", folder_.path() + "/new.pte"}).exit_code, 0);
  EXPECT_EQ(replan("[bank.1]\nsize = 256\n").exit_code, 0);
  EXPECT_EQ(RunCommand({"check", folder_.path() + "/new.pte"}).exit_code, 0);
}

}  // namespace
}  // namespace pteproof
