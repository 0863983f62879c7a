// What is made in place in memory that is not the planner's: a buffer's, and callers'.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "pteproof/check.h"
#include "tests/support/plan_text.h"
#include "tests/support/report_queries.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Value numbers of the file: what each call writes.
std::vector<int32_t> Written(const Method& method) {
  std::vector<int32_t> written;
  for (const Instruction& instruction : method.instructions) {
    const auto args = method.Ints(instruction.args);
    if (!args.empty()) written.push_back(args.back());
  }
  return written;
}

int64_t ActivationBytes(const Method& method) {
  return static_cast<int64_t>(method.bank_sizes[kActivationBank]);
}

PlanOptions CallersMemory(bool inputs, bool outputs) {
  PlanOptions options;
  options.plan_inputs = !inputs;
  options.plan_outputs = !outputs;
  return options;
}

// The old value is read by the first call alone, and the last one's result is stored.
TEST(BuiltInABufferTest, AChainThatEndsInItIsMadeThere) {
  const Planned planned = PlanOf(R"(
buffer @b: float32[64]
method f(%x: float32[64]) {
  %0 = entry @b
  %1: float32[64] = aten::mul.Scalar_out(%0, 0.5)
  %2: float32[64] = aten::sub.out(%x, %1, 1)
  %3: float32[64] = aten::relu.out(%2)
  return
  store @b = %3
}
)");
  const Method& method = planned.program.methods[0];
  EXPECT_THAT(Written(method), ElementsAre(0, 0, 0));
  EXPECT_EQ(ActivationBytes(method), 256);  // of %x alone
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe safe");
}

// The second call reads the old value once more.
TEST(BuiltInABufferTest, NothingIsMadeThereWhileTheOldValueIsRead) {
  const Planned planned = PlanOf(R"(
buffer @b: float32[64]
method f(%x: float32[64]) {
  %0 = entry @b
  %1: float32[64] = aten::mul.Scalar_out(%0, 0.5)
  %2: float32[64] = aten::add.out(%1, %0, 1)
  return
  store @b = %2
}
)");
  const Method& method = planned.program.methods[0];
  EXPECT_EQ(Written(method)[1], 0);
  EXPECT_NE(Written(method)[0], 0);
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe safe");
}

// A branch that is not taken leaves the buffer as it was.
TEST(BuiltInABufferTest, NothingIsMadeThereThatABranchMayNotWant) {
  const Planned planned = PlanOf(R"(
buffer @b: float32[64]
method f(%x: float32[64], %p: bool) {
  %0 = entry @b
  %1: float32[64] = aten::exp.out(%x)
  %2: float32[64] = cond(%p, %0, %1) {
    (%3: float32[64], %4: float32[64]) {
      %5: float32[64] = aten::add.out(%3, %4, 1)
      return %5
    }
    (%6: float32[64], %7: float32[64]) {
      return %6
    }
  }
  return
  store @b = %2
}
)");
  EXPECT_NE(Written(planned.program.methods[0])[0], 0);
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe safe");
}

constexpr const char* kBlock = R"(
method block(%x: float32[1, 64, 28, 28], %w: float32[64, 64, 3, 3]) {
  %0: float32[1, 64, 28, 28] =
      aten::convolution.out(%x, %w, None, [1, 1], [1, 1], [1, 1], false, [0, 0], 1)
  %1: float32[1, 64, 28, 28] = aten::relu.out(%0)
  %2: float32[1, 64, 28, 28] = aten::add.out(%1, %x, 1)
  %3: float32[1, 64, 28, 28] = aten::relu.out(%2)
  return %3
}
)";

// A residual block: one tensor of 200,704 bytes, which the caller owns.
TEST(BuiltInAnOutputTest, AResidualBlockTakesNoMemoryBesidesTheCallers) {
  const Method planned = PlanOf(kBlock).program.methods[0];
  EXPECT_EQ(ActivationBytes(planned), 200704 + 147456 + 200704);
  const Planned lent = PlanOf(kBlock, CallersMemory(true, true));
  const Method& method = lent.program.methods[0];
  EXPECT_EQ(ActivationBytes(method), 0);
  EXPECT_EQ(std::set(method.outputs.begin(), method.outputs.end()).count(Written(method)[0]), 1U);
  EXPECT_EQ(VerdictRow(Check(lent.program)), "safe safe safe");
}

// What is returned besides needs memory of its own.
TEST(BuiltInAnOutputTest, AnotherOutputIsNotMadeThere) {
  const Planned planned = PlanOf(R"(
method f(%x: float32[64]) {
  %0: float32[64] = aten::exp.out(%x)
  %1: float32[64] = aten::relu.out(%0)
  return %0, %1
}
)",
                                 CallersMemory(false, true));
  const Method& method = planned.program.methods[0];
  EXPECT_NE(method.outputs[0], method.outputs[1]);
  EXPECT_EQ(Written(method), method.outputs);
}

constexpr const char* kLent = R"(
method f(%x: float32[64] in_place, %y: float32[64]) {
  %0: float32[64] = aten::mul.Scalar_out(%x, 0.5)
  %1: float32[64] = aten::add.out(%y, %0, 1)
  return %1
}
)";

TEST(InPlaceArgumentTest, TheResultComesBackInTheCallersMemory) {
  const Planned planned = PlanOf(kLent, CallersMemory(true, false));
  const Method& method = planned.program.methods[0];
  EXPECT_EQ(method.outputs[0], method.inputs[0]);
  EXPECT_THAT(Written(method), ElementsAre(method.inputs[0], method.inputs[0]));
  EXPECT_EQ(ActivationBytes(method), 0);
  EXPECT_THAT(planned.warnings, IsEmpty());
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe unsafe");
}

// Without the mark the caller's tensor stays as it is.
TEST(InPlaceArgumentTest, AnotherInputIsNotOverwritten) {
  std::string text = kLent;
  text.erase(text.find(" in_place"), std::string(" in_place").size());
  const Method method = PlanOf(text, CallersMemory(true, false)).program.methods[0];
  EXPECT_EQ(ActivationBytes(method), 256);
  for (const int32_t v : Written(method)) {
    EXPECT_TRUE(method.TensorOf(v)->planned);
  }
}

// The Python Runtime would replace the input's memory by that of the output.
TEST(InPlaceArgumentTest, IsNotReturnedToALoaderThatSharesAllBanks) {
  PlanOptions options = CallersMemory(true, false);
  options.policy = Policy::kShareAll;
  const Planned planned = PlanOf(kLent, options);
  EXPECT_NE(planned.program.methods[0].outputs[0], planned.program.methods[0].inputs[0]);
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe safe");
}

// An input in a bank is a copy of the caller's, and free after its last read with the mark or not.
TEST(InPlaceArgumentTest, PlannedInputsAreOverwrittenInTheirBank) {
  const Method method = PlanOf(kLent).program.methods[0];
  EXPECT_EQ(ActivationBytes(method), 2 * 256);
}

}  // namespace
}  // namespace pteproof::planner
