// Planning through the public header: files that load and hold, and what is refused where.
#include "pteproof/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "pteproof/check.h"
#include "pteproof/read.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string ModuleText(const std::string& name) {
  return ReadText(std::filesystem::path(PTEPROOF_CORPUS_DIR) / "modules" / name);
}

TEST(PlanModule, MakesFilesThatHoldUnderTheAskedPolicy) {
  for (const char* name : {"counter.module", "kv_update.module", "sparse_update.module"}) {
    for (const Policy policy : {Policy::kShare12, Policy::kShareAll}) {
      const auto planned = PlanModule(ModuleText(name), {.policy = policy});
      ASSERT_TRUE(planned.ok()) << name << ": " << planned.error().what;
      const auto program = ReadProgram(planned.value().bytes);
      ASSERT_TRUE(program.ok()) << name;
      const Report report = Check(program.value(), {.manifest = &planned.value().manifest});
      EXPECT_EQ(OverallOf(report.verdicts, policy), Overall::kSafe) << name;
      EXPECT_EQ(planned.value().manifest.policy, policy);
    }
  }
}

TEST(PlanModule, TellsHowFullBanksAre) {
  const auto planned = PlanModule(R"(
method forward(%x: float32[4, 8]) {
  %0: float32[4, 8] = aten::relu.out(%x)
  return %0
}
)");
  ASSERT_TRUE(planned.ok());
  ASSERT_EQ(planned.value().banks.size(), 1U);
  const PlannedBank& bank = planned.value().banks.front();
  EXPECT_EQ(bank.method, "forward");
  EXPECT_EQ(bank.bank, 1);
  EXPECT_GE(bank.peak, 128);  // of one tensor
  EXPECT_LE(bank.peak, 256);  // of both
  EXPECT_LE(bank.peak_live, bank.peak);
  EXPECT_GE(bank.without_sharing, bank.peak);
}

TEST(PlanModule, LeavesInputsAndOutputsToTheCaller) {
  const auto planned =
      PlanModule(ModuleText("counter.module"), {.plan_inputs = false, .plan_outputs = false});
  ASSERT_TRUE(planned.ok());
  const auto program = ReadProgram(planned.value().bytes);
  ASSERT_TRUE(program.ok());
  const Method& step = program.value().methods.front();
  EXPECT_FALSE(step.TensorOf(step.inputs.front())->planned);
  EXPECT_FALSE(step.TensorOf(step.outputs.front())->planned);
}

TEST(PlanModule, NamesThePlaceOfAnErrorInTheText) {
  const auto planned = PlanModule("method forward() {\n  return %nothing\n}\n");
  ASSERT_FALSE(planned.ok());
  EXPECT_EQ(planned.error().line, 2);
  EXPECT_GT(planned.error().column, 0);
  EXPECT_THAT(planned.error().what, HasSubstr("nothing"));
}

TEST(PlanModule, RefusesWhatThePolicyCannotHold) {
  const auto planned = PlanModule(ModuleText("kv_update.module"), {.policy = Policy::kPrivate});
  ASSERT_FALSE(planned.ok());
  EXPECT_EQ(planned.error().line, 0);
  EXPECT_THAT(planned.error().what, HasSubstr("private"));
}

TEST(PlanModule, RefusesAlignmentsThatAreNoPowersOfTwo) {
  for (const int64_t alignment : {0, -16, 24}) {
    const auto planned = PlanModule(ModuleText("counter.module"), {.alignment = alignment});
    ASSERT_FALSE(planned.ok());
    EXPECT_THAT(planned.error().what, HasSubstr(std::to_string(alignment)));
  }
}

}  // namespace
}  // namespace pteproof
