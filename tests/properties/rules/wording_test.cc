#include "properties/rules/wording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::ElementsAre;

TEST(Words, TellBankAndBytes) {
  EXPECT_EQ(Words(Place{1, 0, 32}), "bank 1 [0,32)");
  EXPECT_EQ(Words(Place{}), "unplanned memory");
}

TEST(ValueWords, TellIndexNameAndPlace) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 16, {4}, "cache");
  const int32_t local = b.Planned(1, 0, {4});
  const int32_t constant = b.Constant(7, {4});
  const int32_t caller = b.Unplanned({4});
  const int32_t number = b.Int(3);
  const Method method = b.Build();
  EXPECT_EQ(ValueWords(method, cache), "v0 'cache' bank 2 [16,32)");
  EXPECT_EQ(ValueWords(method, local), "v1 bank 1 [0,16)");
  EXPECT_EQ(ValueWords(method, constant), "v2 (constant data 7)");
  EXPECT_EQ(ValueWords(method, caller), "v3");
  EXPECT_EQ(ValueWords(method, number), "v4");
}

TEST(InstructionWords, NameEveryKindAndWhatLiesBeyondTheListing) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Mul(x, x, x);
  b.Delegate({x});
  b.Move(x, b.Unplanned({4}));
  b.JumpFalse(b.Bool(true), 5);
  b.method().instructions.push_back({InstructionKind::kFree, x, 0, {}});
  const Method method = b.Build();
  EXPECT_EQ(InstructionWords(method, -1), "the caller");
  EXPECT_EQ(InstructionWords(method, 0), "instruction 0 (aten::mul.out)");
  EXPECT_EQ(InstructionWords(method, 1), "instruction 1 (delegate TestBackend)");
  EXPECT_EQ(InstructionWords(method, 2), "instruction 2 (move)");
  EXPECT_EQ(InstructionWords(method, 3), "instruction 3 (jump)");
  EXPECT_EQ(InstructionWords(method, 4), "instruction 4 (free)");
  EXPECT_EQ(InstructionWords(method, 5), "the output");
  EXPECT_EQ(InstructionWords(method, 6), "the next call");
}

TEST(FindingAt, FillsInWhereItStands) {
  MethodBuilder b("decode");
  const int32_t x = b.Planned(1, 0, {4});
  b.Mul(x, x, x);
  const Method method = b.Build();
  const Finding finding =
      FindingAt(rule::kPlanOverlap, Severity::kWarning, method, 0, {x}, {1, 4, 8});
  EXPECT_EQ(finding.rule, rule::kPlanOverlap);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.method, "decode");
  EXPECT_EQ(finding.instruction, 0);
  EXPECT_THAT(finding.values, ElementsAre(x));
  EXPECT_EQ(finding.bank, 1U);
  EXPECT_EQ(finding.bytes, (ByteRange{4, 8}));
}

TEST(FindingAt, HasNoInstructionBeyondTheListingAndNoBytesOutsideBanks) {
  const Method method = MethodBuilder().Build();
  const Finding finding = FindingAt(rule::kPlanOverlap, Severity::kError, method, 0, {}, {});
  EXPECT_EQ(finding.instruction, -1);
  EXPECT_FALSE(finding.bytes.has_value());
}

}  // namespace
}  // namespace pteproof::checks
