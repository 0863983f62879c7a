// The tagged run on methods put together by hand: which reads it finds, and when it is a proof.
#include "properties/oracles/tags/tagged_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/oracles/random_inputs.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

struct Outcome {
  std::optional<TagFinding> finding;
  std::optional<std::string> why_no_proof;
};

// Every method twice, in turn.
Outcome Tagged(const Program& program, Policy policy = Policy::kPrivate) {
  TaggedRun run(program, {.policy = policy, .semantics = Semantics::kHash});
  Random random(1);
  for (int round = 0; round < 2 && !run.finding(); ++round) {
    for (size_t m = 0; m < program.methods.size() && !run.finding(); ++m) {
      const auto outputs =
          run.Call(static_cast<int32_t>(m), RandomInputs(program.methods[m], random));
      EXPECT_TRUE(outputs.ok() || run.finding()) << outputs.error().explanation;
    }
  }
  return {run.finding(), run.WhyNoProof()};
}

// a = x + x; b = a * a; the output is a + b. `b_offset`: where b lies, beside a at 64.
Method TwoValues(uint64_t b_offset) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 64, {4});
  const int32_t b = m.Planned(1, b_offset, {4});
  const int32_t y = m.Planned(1, 192, {4});
  m.Add(x, x, a);
  m.Mul(a, a, b);
  m.Add(a, b, y);
  m.Output(y);
  return m.Build();
}

TEST(TaggedRun, ProvesAStraightLineThatLosesNothing) {
  const Outcome outcome = Tagged(ProgramOf({TwoValues(128)}));
  EXPECT_FALSE(outcome.finding.has_value());
  EXPECT_EQ(outcome.why_no_proof, std::nullopt);
}

TEST(TaggedRun, NamesWriterOverwriterAndReader) {
  const Outcome outcome = Tagged(ProgramOf({TwoValues(72)}));
  ASSERT_TRUE(outcome.finding.has_value());
  // The second instruction writes b over the second half of a, which it still reads.
  EXPECT_EQ(outcome.finding->instruction, 1);
  EXPECT_THAT(outcome.finding->explanation, HasSubstr("[72, 80)"));
  EXPECT_THAT(*outcome.why_no_proof, HasSubstr("wrong bytes"));
}

TEST(TaggedRun, AResultMayReplaceAnOperandElementByElement) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 0, {4});
  m.Add(x, x, a);
  m.Output(a);
  EXPECT_FALSE(Tagged(ProgramOf({m.Build()})).finding.has_value());

  MethodBuilder flips;
  const int32_t in = flips.Planned(1, 0, {4});
  flips.Input(in);
  const int32_t out = flips.Planned(1, 0, {4});
  flips.Flip(in, out);
  flips.Output(out);
  const Outcome outcome = Tagged(ProgramOf({flips.Build()}));
  ASSERT_TRUE(outcome.finding.has_value());
  EXPECT_THAT(outcome.finding->explanation, HasSubstr("still being read"));
}

// One row is collected of two, and repeated for the other.
TEST(TaggedRun, SaysWhereRowsAreMissing) {
  for (const bool collected : {false, true}) {
    MethodBuilder m;
    const int32_t x = m.Planned(1, 0, {2, 4});
    const int32_t row = m.Planned(1, 32, {4});
    m.Input(x);
    m.Input(row);
    const int32_t rows = m.Planned(1, 64, {2, 4});
    m.TensorAt(rows).dynamism = Dynamism::kBounded;
    if (collected) {
      m.Call("executorch_prim::et_copy_index.tensor", {rows, row, m.Int(0)});
    } else {
      m.Flip(x, rows);
    }
    const int32_t sum = m.Planned(1, collected ? 64 : 80, {2, 4});
    m.Add(x, rows, sum);
    m.Output(sum);
    const Outcome outcome = Tagged(ProgramOf({m.Build()}));
    ASSERT_TRUE(outcome.finding.has_value());
    EXPECT_THAT(outcome.finding->explanation, HasSubstr("still being read"));
    EXPECT_EQ(outcome.finding->unwritten, collected);
  }
}

TEST(TaggedRun, FindsALaterOverwrite) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 64, {4});
  const int32_t b = m.Planned(1, 64, {4});
  const int32_t y = m.Planned(1, 128, {4});
  m.Add(x, x, a);
  m.Mul(x, x, b);
  m.Add(a, b, y);
  m.Output(y);
  const Outcome outcome = Tagged(ProgramOf({m.Build()}));
  ASSERT_TRUE(outcome.finding.has_value());
  EXPECT_EQ(outcome.finding->instruction, 2);
  EXPECT_EQ(outcome.finding->value, a);
  EXPECT_THAT(outcome.finding->explanation, HasSubstr("instruction 0 wrote to value 1"));
  EXPECT_THAT(outcome.finding->explanation, HasSubstr("instruction 1 wrote to value 2"));
}

// One method adds to a buffer, the other one works at `scratch` in the same bank.
Program Sharing(uint64_t scratch) {
  MethodBuilder step("step");
  const int32_t state = step.Planned(2, 0, {4}, "count");
  const int32_t x = step.Planned(1, 0, {4});
  step.Input(x);
  const int32_t sum = step.Planned(1, 64, {4});
  step.Add(state, x, sum);
  step.Copy(state, sum);
  step.Output(sum);
  MethodBuilder other("other");
  const int32_t in = other.Planned(1, 0, {4});
  other.Input(in);
  const int32_t twice = other.Planned(2, scratch, {4});
  other.Add(in, in, twice);
  other.Output(twice);
  return ProgramOf({step.Build(), other.Build()});
}

TEST(TaggedRun, FindsStateThatAnotherMethodOverwrites) {
  EXPECT_EQ(Tagged(Sharing(16), Policy::kShare12).why_no_proof, std::nullopt);
  EXPECT_FALSE(Tagged(Sharing(0), Policy::kPrivate).finding.has_value());
  const Outcome outcome = Tagged(Sharing(0), Policy::kShare12);
  ASSERT_TRUE(outcome.finding.has_value());
  EXPECT_EQ(outcome.finding->method, "step");
  EXPECT_THAT(outcome.finding->explanation, HasSubstr("of 'other', in an earlier call"));
}

// Two buffers at one place; the method reads the first one's initial value.
TEST(TaggedRun, InitialValuesOfEqualBytesAreOne) {
  const std::vector<std::byte> ones(16, std::byte{1});
  const std::vector<std::byte> same = ones;
  const std::vector<std::byte> twos(16, std::byte{2});
  for (const bool alike : {false, true}) {
    MethodBuilder m;
    const int32_t first = m.Planned(2, 0, {4}, "first");
    const int32_t second = m.Planned(2, 0, {4}, "second");
    m.TensorAt(first).data_index = 1;
    m.TensorAt(second).data_index = 2;
    const int32_t y = m.Planned(1, 0, {4});
    m.Add(first, first, y);
    m.Output(y);
    Program program = ProgramOf({m.Build()});
    program.initial_values = {{}, ones, alike ? same : twos};
    EXPECT_EQ(Tagged(program).finding.has_value(), !alike);
  }
}

// A loop begins with a view of what the round before stored.
TEST(TaggedRun, AViewThatALoopBeginsWithIsMadeAnewInEachRound) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t go_on = m.Planned(1, 64, {}, {}, ScalarType::kBool);
  m.Input(go_on);
  const int32_t stop = m.Planned(1, 64, {}, {}, ScalarType::kBool);
  m.Call("aten::logical_not.out", {go_on, stop, stop});
  const int32_t view = m.Planned(1, 0, {2, 2});
  const int32_t sum = m.Planned(1, 128, {2, 2});
  const int32_t begin = m.Add(view, view, sum);
  m.Mul(x, x, x);
  m.JumpFalse(stop, begin);
  m.Output(sum);
  const Program program = ProgramOf({m.Build()});
  EXPECT_FALSE(Tagged(program).finding.has_value());
  EXPECT_EQ(AgreedRow(program), "safe safe safe");
}

// A loop writes both parts of an elided concatenation anew in each round, one of them after it was
// used.
TEST(TaggedRun, AConcatenationIsMadeAnewInEachRound) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t go_on = m.Planned(1, 64, {}, {}, ScalarType::kBool);
  m.Input(go_on);
  const int32_t right = m.Planned(1, 16, {4});
  const int32_t both = m.Planned(1, 0, {8});
  const int32_t sum = m.Planned(1, 128, {8});
  const int32_t begin = m.Mul(x, x, right);
  m.Add(both, both, sum);
  m.Add(right, right, x);
  const int32_t stop = m.Planned(1, 64, {}, {}, ScalarType::kBool);
  m.Call("aten::logical_not.out", {go_on, stop, stop});
  m.JumpFalse(stop, begin);
  m.Output(sum);
  EXPECT_FALSE(Tagged(ProgramOf({m.Build()})).finding.has_value());
}

TEST(TaggedRun, IsNoProofWhereInstructionsDependOnData) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t flag = m.Planned(1, 64, {}, {}, ScalarType::kBool);
  m.Input(flag);
  const int32_t y = m.Planned(1, 128, {4});
  const int32_t jump = m.JumpFalse(flag, 0);
  m.Add(x, x, y);
  m.SetTarget(jump, m.Next());
  m.Add(x, x, y);
  m.Output(y);
  const Outcome outcome = Tagged(ProgramOf({m.Build()}));
  EXPECT_FALSE(outcome.finding.has_value());
  EXPECT_THAT(outcome.why_no_proof.value_or(""), HasSubstr("jumps"));
}

TEST(TaggedRun, IsNoProofBeforeEveryMethodWasCalled) {
  const Program program = Sharing(16);
  TaggedRun run(program, {.policy = Policy::kShare12, .semantics = Semantics::kHash});
  Random random(1);
  ASSERT_TRUE(run.Call(0, RandomInputs(program.methods[0], random)).ok());
  EXPECT_THAT(run.WhyNoProof().value_or(""), HasSubstr("'other' is not called"));
}

}  // namespace
}  // namespace pteproof
