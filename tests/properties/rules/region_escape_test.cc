#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "properties/group_findings.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// r1 = cond(p, a); r2 = cond(p, a), all branch results at bank 1 [0,32). The first result is used
// after the second cond, as it is or as a clone made before.
struct Siblings {
  Method method;
  int32_t first_result = 0;
  int32_t second_true = 0;
  int32_t second_false = 0;
};

struct Cond {
  int32_t result = 0;
  int32_t when_true = 0;
  int32_t when_false = 0;
};

// result = flag ? a + a : a * a, each computed at `offset` and moved to `result`.
Cond AddCond(MethodBuilder& b, int32_t flag, int32_t a, int32_t never, uint64_t offset,
             uint64_t result_offset) {
  Cond cond;
  cond.result = b.Planned(1, result_offset, {8});
  const int32_t to_false = b.JumpFalse(flag, 0);
  cond.when_true = b.Planned(1, offset, {8});
  b.Add(a, a, cond.when_true);
  b.Move(cond.when_true, cond.result);
  const int32_t to_end = b.JumpFalse(never, 0);
  b.SetTarget(to_false, b.Next());
  cond.when_false = b.Planned(1, offset, {8});
  b.Mul(a, a, cond.when_false);
  b.Move(cond.when_false, cond.result);
  b.SetTarget(to_end, b.Next());
  return cond;
}

Siblings TwoConds(bool cloned) {
  MethodBuilder b;
  const int32_t never = b.Bool(false);
  const int32_t flag = b.Planned(1, 256, {1}, {}, ScalarType::kBool);
  const int32_t a = b.Planned(1, 272, {8});
  b.Input(flag);
  b.Input(a);
  const Cond first = AddCond(b, flag, a, never, 0, 32);
  int32_t kept = first.result;
  if (cloned) {
    kept = b.Planned(1, 96, {8});
    b.Call("aten::alias_copy.out", {first.result, kept, kept});
  }
  const Cond second = AddCond(b, flag, a, never, 0, 64);
  const int32_t out = b.Planned(1, 128, {8});
  b.Call("aten::add.out", {kept, second.result, b.Int(1), out, out});
  b.Output(out);
  return {b.Build(), first.result, second.when_true, second.when_false};
}

TEST(RegionEscape, TellsOfASecondCondOverTheFirstOnesResult) {
  const Siblings siblings = TwoConds(false);
  const Report report = Check(ProgramOf({siblings.method}));
  ASSERT_EQ(TroubleOf(report).size(), 2U);  // each branch of the second cond
  const std::vector<Finding> findings = UngroupFindings(report.findings);  // of one cause
  const Finding& on_true = findings[0];
  EXPECT_EQ(on_true.rule, rule::kRegionEscape);
  EXPECT_EQ(on_true.severity, Severity::kError);
  EXPECT_EQ(on_true.policies, PolicySet::All());
  EXPECT_EQ(on_true.instruction, 7);
  EXPECT_EQ(on_true.bank, 1U);
  EXPECT_EQ(on_true.bytes, (ByteRange{0, 32}));
  ASSERT_GE(on_true.values.size(), 2U);
  EXPECT_EQ(on_true.values[0], siblings.first_result);
  EXPECT_EQ(on_true.values[1], siblings.second_true);
  const Finding& on_false = findings[1];
  EXPECT_EQ(on_false.rule, rule::kRegionEscape);
  EXPECT_EQ(on_false.instruction, 10);
  EXPECT_EQ(on_false.values[1], siblings.second_false);
  EXPECT_THAT(on_false.explanation, HasSubstr("Instruction 12"));  // who reads it
}

// Exclusive branches share their bytes by right.
TEST(RegionEscape, IsSilentWhereTheFirstResultIsCloned) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({TwoConds(true).method}))), IsEmpty());
}

// The second region is a loop.
Method CondThenLoop(uint64_t loop_offset) {
  MethodBuilder b;
  const int32_t never = b.Bool(false);
  const int32_t flag = b.Planned(1, 256, {1}, {}, ScalarType::kBool);
  const int32_t a = b.Planned(1, 272, {8});
  b.Input(flag);
  b.Input(a);
  const Cond first = AddCond(b, flag, a, never, 0, 32);
  const int32_t begin = b.Next();
  const int32_t step = b.Planned(1, loop_offset, {4});
  b.Call("aten::fill.Scalar_out", {a, b.Int(0), step, step});
  b.JumpFalse(flag, begin);
  const int32_t out = b.Planned(1, 128, {8});
  b.Add(first.result, a, out);
  b.Output(out);
  return b.Build();
}

// The second cond lies within a branch of another, and starts at the same byte.
Method CondThenNested(uint64_t inner_offset) {
  MethodBuilder b;
  const int32_t never = b.Bool(false);
  const int32_t flag = b.Planned(1, 256, {1}, {}, ScalarType::kBool);
  const int32_t a = b.Planned(1, 272, {8});
  b.Input(flag);
  b.Input(a);
  const Cond first = AddCond(b, flag, a, never, 0, 32);
  const int32_t outer_result = b.Planned(1, 160, {8});
  const int32_t to_false = b.JumpFalse(flag, 0);
  const Cond inner = AddCond(b, flag, a, never, inner_offset, 64);
  const int32_t outer_true = b.Planned(1, 96, {8});
  b.Add(inner.result, a, outer_true);
  b.Move(outer_true, outer_result);
  const int32_t to_end = b.JumpFalse(never, 0);
  b.SetTarget(to_false, b.Next());
  const int32_t outer_false = b.Planned(1, 96, {8});
  b.Mul(a, a, outer_false);
  b.Move(outer_false, outer_result);
  b.SetTarget(to_end, b.Next());
  const int32_t out = b.Planned(1, 192, {8});
  b.Add(first.result, outer_result, out);
  b.Output(out);
  return b.Build();
}

TEST(RegionEscape, TellsOfANestedCondOverAnEarlierResult) {
  const Report report = Check(ProgramOf({CondThenNested(0)}));
  EXPECT_THAT(LinesOf(report, rule::kRegionEscape),
              ElementsAre(HasSubstr("error region-escape forward#8"),
                          HasSubstr("error region-escape forward#11")));
}

TEST(RegionEscape, IsSilentForANestedCondBesideTheEarlierResult) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({CondThenNested(224)}))), IsEmpty());
}

// The corrupted result is stored, and later calls start from it.
TEST(RegionEscape, TellsOfAResultThatIsStoredAfterASecondCond) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t never = b.Bool(false);
  const int32_t flag = b.Planned(1, 256, {1}, {}, ScalarType::kBool);
  const int32_t a = b.Planned(1, 272, {8});
  b.Input(flag);
  b.Input(a);
  const Cond first = AddCond(b, flag, state, never, 0, 32);
  const Cond second = AddCond(b, flag, a, never, 0, 64);
  b.Copy(state, first.result);
  b.Output(second.result);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kRegionEscape),
              ElementsAre(HasSubstr("step#7"), HasSubstr("step#10")));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
}

TEST(RegionEscape, TellsOfALoopOverACondsResult) {
  const Report report = Check(ProgramOf({CondThenLoop(8)}));
  EXPECT_THAT(LinesOf(report, rule::kRegionEscape), testing::SizeIs(1));
  EXPECT_THAT(LinesOf(report, rule::kRegionEscape)[0],
              testing::AllOf(HasSubstr("forward#6"), HasSubstr("bank 1 [8,24)")));
}

TEST(RegionEscape, IsSilentForALoopBesideACondsResult) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({CondThenLoop(64)}))), IsEmpty());
}

// A scan's carry is a planned value that only copies write: neither state nor an escape.
TEST(RegionEscape, IsSilentForAScansCarry) {
  MethodBuilder b;
  const int32_t never = b.Planned(1, 128, {1}, {}, ScalarType::kBool);
  const int32_t start = b.Planned(1, 0, {8});
  const int32_t x = b.Planned(1, 32, {8});
  b.Input(never);
  b.Input(start);
  b.Input(x);
  const int32_t carry = b.Planned(1, 64, {8});
  b.Copy(carry, start);
  const int32_t body = b.Next();
  const int32_t sum = b.Planned(1, 96, {8});
  b.Add(carry, x, sum);
  b.Copy(carry, sum);
  b.JumpFalse(never, body);
  const int32_t out = b.Planned(1, 0, {8});
  b.Add(carry, carry, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

}  // namespace
}  // namespace pteproof
