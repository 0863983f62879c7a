// `replan` on programs of the shapes that users reported: what is written, and what is said of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pteproof/read.h"
#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

const std::string kReports = PTEPROOF_CORPUS_DIR "/reports/";

class ReportedRepairs : public testing::Test {
 protected:
  CommandResult Replan(const std::string& file, std::vector<std::string> more) {
    more.insert(more.begin(), {"replan", kReports + file, "-o", out_, "--runs", "20"});
    return RunCommand(more);
  }

  [[nodiscard]] std::vector<Method> Written() const {
    auto read = ReadProgramFile(out_);
    return read.ok() ? read.value().program.methods : std::vector<Method>();
  }

  [[nodiscard]] bool IsWritten() const { return std::filesystem::exists(out_); }

  const TempFolder folder_;
  const std::string out_ = folder_.path() + "/out.pte";
};

// Each method alone takes as much.
TEST_F(ReportedRepairs, TwoMethodsOverCachesTakeNoMoreThanTheLargerOne) {
  const CommandResult result =
      Replan("prefill-decode-inplace/llm.pte",
             {"--in-place", "--move-state", "--operators-of", "wheel", "--policy", "share-all"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const Method& method : Written()) EXPECT_LE(method.bank_sizes[1], 27'712U) << method.name;
  EXPECT_EQ(RunCommand({"check", out_, "--policy", "share-all"}).exit_code, 0);
}

TEST_F(ReportedRepairs, ValuesThatDoNotFitABankGoToAnotherOne) {
  const std::string file = "banked-repair/conds-fast-600.pte";
  const CommandResult result = Replan(file, {"--repair", "--bank-size", "1=600"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(Written().size(), 1U);
  EXPECT_LE(Written().front().bank_sizes[1], 600U);
  EXPECT_EQ(RunCommand({"check", out_}).exit_code, 0);
  EXPECT_EQ(RunCommand({"compare", "--meant", kReports + file, out_}).exit_code, 0);
}

TEST_F(ReportedRepairs, ARepairThatFitsNoBankIsRefusedWithTheBytes) {
  const CommandResult result = Replan("banked-repair/conds-fast-600.pte",
                                      {"--repair", "--bank-size", "1=600", "--bank-size", "2=64"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("more than it has"));
  EXPECT_FALSE(IsWritten());
}

TEST_F(ReportedRepairs, NoBankIsAdded) {
  const CommandResult result = Replan("banked-repair/state-no-bank-2.pte", {"--repair"});
  ASSERT_THAT(result.exit_code, testing::AnyOf(0, 3)) << result.err;
  for (const Method& method : Written()) {
    ASSERT_GT(method.bank_sizes.size(), 2U);
    EXPECT_EQ(method.bank_sizes[2], 0U) << method.name;
  }
  EXPECT_EQ(RunCommand({"check", out_, "--policy", "share-all"}).exit_code, 0);
}

TEST_F(ReportedRepairs, WhatDependsAndIsNotMendedIsNotWritten) {
  const CommandResult result = Replan("repair-of-depends/through.pte", {"--repair"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("it stays unsafe under share-all, and safe under private and "
                                    "share-1-2 (--policy)"));
  EXPECT_THAT(result.err, HasSubstr("output-misbound"));
  EXPECT_FALSE(IsWritten());
}

TEST_F(ReportedRepairs, AnUpdateByItselfReadsACopy) {
  for (const char* name : {"own-index", "own-values"}) {
    const std::string file = std::string("index-put-own-index/") + name + ".pte";
    const CommandResult result = Replan(file, {"--repair", "--operators-of", "wheel"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("copy added: forward, instruction ")) << name;
    EXPECT_EQ(RunCommand({"check", out_}).exit_code, 0) << name;
    EXPECT_EQ(RunCommand({"compare", "--meant", kReports + file, out_}).exit_code, 0) << name;
  }
}

}  // namespace
}  // namespace pteproof
