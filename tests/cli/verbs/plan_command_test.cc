// `pteproof plan` from outside, and that `check` reads what it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCell = R"(
buffer @cell: float32[4] shared
method put(%x: float32[4], %y: float32[4]) {
  %0: float32[4] = aten::add.out(%x, %y, 1)
  return %0
  store @cell = %x
}
method get() {
  %0 = entry @cell
  return %0
}
)";

// Runs `plan` on a Module in a file of its own.
class PlanCommand : public ::testing::Test {
 protected:
  CommandResult Plan(const std::string& module, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"plan", folder_.Write("m.module", module), "-o", pte_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunCommand(arguments);
  }

  const TempFolder folder_;
  const std::string pte_ = folder_.Write("m.pte", "");
};

TEST_F(PlanCommand, WritesAProgramThatIsSafe) {
  const CommandResult planned = Plan(kCell);
  EXPECT_EQ(planned.exit_code, 0) << planned.err;
  EXPECT_EQ(planned.out + planned.err, "");
  EXPECT_EQ(RunCommand({"check", pte_, "--policy", "share-1-2"}).exit_code, 0);
}

// The sum takes an input's bytes, and what `get` returns lies in the buffer.
TEST_F(PlanCommand, ReportsHowFullBanksAre) {
  EXPECT_EQ(Plan(kCell, {"--report"}).out,
            "put bank 1: peak 32 bytes, peak live bytes 32, ratio 1.000, without sharing 32\n"
            "get bank 1: peak 0 bytes, peak live bytes 0, ratio 1.000, without sharing 0\n");
}

TEST_F(PlanCommand, WritesTheManifestThatCheckHoldsTheFileAgainst) {
  const std::filesystem::path manifest =
      std::filesystem::path(pte_).replace_extension(".manifest.json");
  EXPECT_EQ(Plan(kCell).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(manifest));
  EXPECT_EQ(Plan(kCell, {"--write-manifest"}).exit_code, 0);
  const CommandResult checked = RunCommand({"check", "--trust-manifests", pte_});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("manifest: "));
  // What another Module says is not what the file does, also if it does not name its program.
  const std::string other = folder_.Write("other.pte", "");
  std::string get_stores = kCell;
  get_stores.replace(get_stores.rfind("  return %0"), std::string::npos,
                     "  %1: float32[4] = aten::neg.out(%0)\n  return %0\n  store @cell = %1\n}\n");
  const auto planned =
      RunCommand({"plan", folder_.Write("o.module", get_stores), "-o", other, "--write-manifest"});
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  const std::string stated =
      std::filesystem::path(other).replace_extension(".manifest.json").string();
  EXPECT_EQ(RunCommand({"check", pte_, "--manifest", stated}).exit_code, 64);
  nlohmann::json claims = nlohmann::json::parse(ReadText(stated));
  claims.erase("program_sha256");
  const std::string unnamed = folder_.Write("unnamed.json", claims.dump());
  const CommandResult against = RunCommand({"check", pte_, "--manifest", unnamed});
  EXPECT_EQ(against.exit_code, 1);
  EXPECT_THAT(against.out, HasSubstr("write-back-missing"));
}

// Input 1 is read for the last time before the output is begun, input 0 by what makes it.
constexpr const char* kTwoSteps = R"(
method f(%x: float32[4], %y: float32[4]) {
  %0: float32[4] = aten::exp.out(%y)
  %1: float32[4] = aten::mul.out(%x, %0)
  return %1
}
)";

TEST_F(PlanCommand, LaysAnOutputOverAnInputWhereThatIsRight) {
  EXPECT_EQ(Plan(kTwoSteps, {"--unplanned-inputs", "--unplanned-outputs", "--overlay", "f:0:1"})
                .exit_code,
            0);
  EXPECT_THAT(RunCommand({"check", pte_}).out, HasSubstr("may lie on the memory of input v1"));
  EXPECT_EQ(Plan(kTwoSteps, {"--overlay", "f:1:1"}).exit_code, 1);
  EXPECT_EQ(Plan(kTwoSteps, {"--overlay", "f:one"}).exit_code, 64);
}

// Only the listing puts the second reader of the sum before the product in its bytes.
constexpr const char* kTwoReaders = R"(
method f(%x: float32[4]) {
  %0: float32[4] = aten::abs.out(%x)
  %1: float32[4] = aten::neg.out(%0)
  %2: float32[4] = aten::mul.Scalar_out(%0, 0.5)
  %3: float32[4] = aten::add.out(%1, %2, 1)
  return %3
}
)";

TEST_F(PlanCommand, PlansForEveryOrderOfData) {
  EXPECT_EQ(Plan(kTwoReaders).exit_code, 0);
  EXPECT_EQ(RunCommand({"prove", "--order", "any", pte_}).exit_code, 1);
  for (const char* order : {"any", "strict"}) {
    const CommandResult planned = Plan(kTwoReaders, {"--order", order, "--report"});
    EXPECT_EQ(planned.exit_code, 0) << planned.err;
    EXPECT_EQ(
        planned.out,
        "f bank 1: peak 48 bytes, peak live bytes 48, ratio 1.000, without sharing 48, in the "
        "listed order 32\n");
    EXPECT_EQ(RunCommand({"prove", "--order", "any", pte_}).exit_code, 0);
    const auto json =
        nlohmann::json::parse(Plan(kTwoReaders, {"--order", order, "--report", "--json"}).out);
    EXPECT_EQ(json["peak"], 48);
    EXPECT_EQ(json["listed_peak"], 32);
  }
  EXPECT_EQ(Plan(kTwoReaders, {"--order", "random"}).exit_code, 64);
}

TEST_F(PlanCommand, SaysWhatCannotBeHad) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"--policy", "private"}, "Under the policy private"},
      {{"--bank", "tiny:16"}, "16 bytes"},
      {{"--share", "nobody"}, "names an unknown buffer 'nobody'"},
  };
  for (const auto& [options, why] : refused) {
    const CommandResult result = Plan(kCell, options);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(why));
  }
  EXPECT_EQ(Plan(kCell, {"--bank", "tiny"}).exit_code, 64);
  EXPECT_EQ(Plan(kCell, {"--alignment", "3"}).exit_code, 64);
}

TEST_F(PlanCommand, SaysWhereATextIsNoModule) {
  const CommandResult result = Plan("method f(%x float32[4]) {\n}\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("m.module:1:"));
}

TEST_F(PlanCommand, IsNotOutdoneByASearch) {
  EXPECT_EQ(Plan(kCell).exit_code, 0);
  const CommandResult checked = RunCommand({"check", pte_, "--optimum"});
  EXPECT_THAT(checked.out, HasSubstr("best\n"));
  EXPECT_THAT(checked.out, HasSubstr("optimal\n"));
  EXPECT_THAT(RunCommand({"check", pte_, "--optimum", "--json"}).out,
              HasSubstr(R"("best":[32,32])"));
}

// Whatever a plan of another hand comes to, also one in which storages lie over each other.
TEST(CheckOptimum, BoundsEveryBankOfRealFiles) {
  const CommandResult checked =
      RunCommand({"check", "--optimum", "--json", PTEPROOF_CORPUS_DIR "/real/bugs"});
  std::istringstream lines(checked.out);
  size_t banks = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto report = nlohmann::json::parse(line);
    for (const auto& bank : report["banks"]) {
      SCOPED_TRACE(report["file"].get<std::string>() + " " + bank.dump());
      const auto best = bank["best"].get<std::vector<uint64_t>>();
      EXPECT_LE(best[0], best[1]);
      EXPECT_GE(best[0], bank["load"].get<uint64_t>());
      if (report["verdict"] == "safe") {
        EXPECT_LE(best[1], bank["peak"].get<uint64_t>());
      }
      ++banks;
    }
  }
  EXPECT_GT(banks, 100U);
}

TEST(CheckOptimum, IsSearchedForQuicklyUnlessAllLoadersRunThePlanWrong) {
  EXPECT_THAT(RunCommand({"check", PTEPROOF_CORPUS_DIR "/real/models/put_get/put_get.pte"}).out,
              HasSubstr("optimal\n"));
  EXPECT_THAT(
      RunCommand({"check", PTEPROOF_CORPUS_DIR "/real/bugs/cond-siblings/cond-siblings.pte"}).out,
      Not(HasSubstr("best\n")));
}

// Its plan is the smallest, though its state is dead for a while.
TEST(CheckOptimum, FindsNoWasteWhereOnlyAnEarlierStoreSaves) {
  const CommandResult checked =
      RunCommand({"check", PTEPROOF_CORPUS_DIR "/reports/state_waste/state_waste.pte"});
  EXPECT_THAT(checked.out, Not(HasSubstr("plan-waste")));
  EXPECT_THAT(checked.out,
              HasSubstr("  bytes of method  bank   size   peak  peak live  waste      phantom  "
                        "early stores     best\n"
                        "  forward             1  49664  49664      49664      0  0%        0  "
                        "       16384  optimal\n"));
}

// Three values in a row, the middle one on top of both.
TEST_F(PlanCommand, SaysHowSmallABankCouldBe) {
  const std::string chain = R"(
method f(%x: float32[64]) {
  %0: float32[2, 64] = aten::expand_copy.out(%x, [2, 64], false)
  %1: float32[64, 2] = aten::permute_copy.out(%0, [1, 0])
  %2: float32[64] = aten::sum.IntList_out(%1, [1], false, None)
  return %2
}
)";
  EXPECT_EQ(Plan(chain, {"--algorithm", "naive"}).exit_code, 0);
  EXPECT_THAT(RunCommand({"check", pte_, "--optimum", "--json"}).out,
              HasSubstr(R"("best":[1024,1024])"));
}

}  // namespace
}  // namespace pteproof
