#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::SizeIs;

TEST(CheckBanks, AreMeasuredForManyBanks) {
  constexpr uint32_t kBanks = 20'000;
  MethodBuilder b;
  for (uint32_t bank = 1; bank <= kBanks; ++bank) b.Input(b.Planned(bank, 0, {4}));
  const Report report = Check(ProgramOf({b.Build()}));
  ASSERT_THAT(report.banks, SizeIs(kBanks));
  EXPECT_EQ(report.banks.back().load, 16U);
}

TEST(CheckBanks, NestLoadPeakAndSizeInRealPrograms) {
  for (const auto& file : ReadAllReal(OwnRealRoot())) {
    if (!file->program.has_value()) continue;
    const Report report = CheckReal(*file, false);
    const bool reaches_out = !LinesOf(report, rule::kPlanBounds).empty();
    for (const BankUse& use : report.banks) {
      EXPECT_LE(use.load, use.peak) << file->name << ' ' << use.method << ' ' << use.bank;
      EXPECT_LE(use.phantom, use.size) << file->name << ' ' << use.method << ' ' << use.bank;
      if (reaches_out) continue;
      EXPECT_LE(use.peak, use.size) << file->name << ' ' << use.method << ' ' << use.bank;
    }
  }
}

}  // namespace
}  // namespace pteproof
