#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rule_names.h"
#include "properties/bank_waste.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::SizeIs;

// The only bank of a method's only bank row; empty where there is another number of them.
BankUse OnlyBank(const MethodBuilder& b) {
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(report.banks, SizeIs(1));
  return report.banks.size() == 1 ? report.banks[0] : BankUse{};
}

// An input of that many floats at the bank's start, and a sum of it at an offset.
MethodBuilder Sum(int32_t elements, uint64_t at, int32_t sum_elements) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {elements});
  b.Input(x);
  const int32_t sum = b.Planned(1, at, {sum_elements});
  b.Add(x, x, sum);
  b.Output(sum);
  return b;
}

TEST(CheckBanks, GivesSizePeakAndLoadOfEachBankInUse) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(3, 32, {4});
  b.Call("aten::relu.out", {x, y, y});
  b.Output(y);
  b.method().bank_sizes[1] = 48;
  const Report report = Check(ProgramOf({b.Build()}));
  ASSERT_THAT(report.banks, SizeIs(2));
  EXPECT_EQ(report.banks[0].method, "forward");
  EXPECT_EQ(report.banks[0].bank, 1U);
  EXPECT_EQ(report.banks[0].size, 48U);
  EXPECT_EQ(report.banks[0].peak, 32U);
  EXPECT_EQ(report.banks[0].load, 32U);
  EXPECT_EQ(report.banks[1].bank, 3U);
  EXPECT_EQ(report.banks[1].peak, 48U);
  EXPECT_EQ(report.banks[1].load, 16U);
}

// An operand lives through the write of the result that does not take its bytes.
TEST(CheckBanks, CountsOperandAndResultTogether) {
  EXPECT_EQ(OnlyBank(Sum(8, 32, 8)).load, 64U);
}

TEST(CheckBanks, CountsAnInPlaceResultOnce) {
  EXPECT_EQ(OnlyBank(Sum(8, 0, 8)).load, 32U);
}

// 12 bytes at 0 and 4 at 16, both live: two slots of 16.
TEST(CheckBanks, RoundsPeakAndLoadUpToTheAlignment) {
  MethodBuilder b = Sum(3, 16, 1);
  b.method().bank_sizes[1] = 48;
  const BankUse use = OnlyBank(b);
  EXPECT_EQ(use.size, 48U);
  EXPECT_EQ(use.peak, 32U);
  EXPECT_EQ(use.load, 32U);
  EXPECT_EQ(WasteOf(use), 16U);
}

// 12 bytes at 0 and 4 at 12: a plan whose offsets are multiples of 4 pads nothing.
TEST(CheckBanks, RoundsToTheAlignmentThatThePlanKeeps) {
  const BankUse use = OnlyBank(Sum(3, 12, 1));
  EXPECT_EQ(use.size, 16U);
  EXPECT_EQ(use.peak, 16U);
  EXPECT_EQ(use.load, 16U);
}

TEST(CheckBanks, RoundsUpToTheEndOfTheBankAtMost) {
  const BankUse use = OnlyBank(Sum(3, 16, 1));
  EXPECT_EQ(use.size, 20U);
  EXPECT_EQ(use.peak, 20U);
  EXPECT_EQ(use.load, 20U);
}

// A placement beyond the bank's end (plan-bounds): what it needs is more than there is.
TEST(CheckBanks, GivesALoadAboveTheSizeWhereThePlanReachesOut) {
  MethodBuilder b = Sum(8, 32, 8);
  b.method().bank_sizes[1] = 40;
  const BankUse use = OnlyBank(b);
  EXPECT_EQ(use.size, 40U);
  EXPECT_EQ(use.peak, 64U);
  EXPECT_EQ(use.load, 64U);
  EXPECT_EQ(WasteOf(use), 0U);
}

// [0,32) and [16,48), both live: by mistake they share 16 bytes.
TEST(CheckBanks, CountsBytesOfOverlappingValuesOnce) {
  const BankUse use = OnlyBank(Sum(8, 16, 8));
  EXPECT_EQ(use.peak, 48U);
  EXPECT_EQ(use.load, 48U);
}

// c and a view of it die in one instruction: 32 bytes, and 32 of its result.
TEST(CheckBanks, CountsADyingValueAndItsViewOnce) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  const int32_t c = b.Planned(1, 0, {8});
  b.Add(x, x, c);
  const int32_t view = b.Planned(1, 0, {8});
  const int32_t out = b.Planned(1, 32, {8});
  b.Mul(c, view, out);
  b.Output(out);
  b.method().bank_sizes[1] = 256;
  EXPECT_EQ(OnlyBank(b).load, 64U);
}

// An elided concatenation of 64 bytes dies under a result of 16, while its first half lives on.
TEST(CheckBanks, CountsAllOfADyingValueThatIsLiveInPart) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  const int32_t low = b.Planned(1, 0, {8});
  const int32_t high = b.Planned(1, 32, {8});
  b.Add(x, x, low);
  b.Mul(x, x, high);
  const int32_t both = b.Planned(1, 0, {16});
  const int32_t first = b.Planned(1, 64, {4});
  b.Call("aten::relu.out", {both, first, first});
  const int32_t second = b.Unplanned({8});
  b.Call("aten::relu.out", {low, second, second});
  b.Output(first);
  b.Output(second);
  b.method().bank_sizes[1] = 256;
  EXPECT_EQ(OnlyBank(b).load, 80U);
}

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
