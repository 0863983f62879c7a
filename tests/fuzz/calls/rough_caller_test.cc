// What a caller that keeps to no rule asks of the runtime, and what it takes for a broken promise.
#include "fuzz/calls/rough_caller.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "fuzz/calls/make_draft.h"
#include "fuzz/calls/same_refusals.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"
#include "fuzz/targets/targets.h"

namespace pteproof::fuzz {
namespace {

TEST(RoughCaller, FindsNothingInRandomCalls) {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    Buffer input(kCallsHeader + 2 * kCallsRecord);
    for (std::byte& byte : input) byte = static_cast<std::byte>(random.Next());
    input[kCallsHeader - 1] |= std::byte{0x80};  // with a caller of that kind
    EXPECT_NE(PlanCalls(input).rough, 0U);
    static_cast<void>(FuzzKernels(input));
  }
}

TEST(RoughCaller, TakesAnEndByTheLastDefenceForAMistake) {
  RunFault fault;
  fault.explanation = "aten::add.out: the sizes differ";
  RequireEarlyRefusal(fault);
  fault.explanation = std::string("aten::add.out: ") + kOutside;
  EXPECT_DEATH(RequireEarlyRefusal(fault), "what a call must not do is refused before");
}

TEST(RoughCaller, TakesSizesBeyondTheFileForAMistake) {
  std::array<int32_t, 1> sizes = {2};
  const std::array<int32_t, 1> bounds = {2};
  std::array<std::byte, 2> bytes = {};
  TensorRef tensor;
  tensor.nbytes = bytes.size();
  tensor.sizes = std::span(sizes);
  tensor.bounds = std::span(bounds);
  SetHome(tensor, MemoryExtent(std::span<std::byte>(bytes), nullptr));
  RunValue output;
  output.kind = ValueKind::kTensor;
  output.tensor = &tensor;
  RequireWithinPlan(output);
  sizes[0] = 1;
  EXPECT_DEATH(RequireWithinPlan(output), "static");
  tensor.bounded = true;
  RequireWithinPlan(output);
  sizes[0] = 3;
  EXPECT_DEATH(RequireWithinPlan(output), "lies in its memory");
  sizes[0] = -1;
  EXPECT_DEATH(RequireWithinPlan(output), "negative");
}

RunFault FaultAt(int32_t instruction) {
  RunFault fault;
  fault.instruction = instruction;
  return fault;
}

TEST(SameRefusals, MissWhatThePlannedRunRuns) {
  const ReplayError refused = {ReplayError::Kind::kRefused, "", 1, "'dim' is not an integer"};
  RequireSameRefusal({}, refused, FaultAt(1));
  RequireSameRefusal({}, refused, FaultAt(0));
  EXPECT_DEATH(RequireSameRefusal({}, refused, std::nullopt), "is not run");
  EXPECT_DEATH(RequireSameRefusal({}, refused, FaultAt(2)), "is not run");
  const ReplayError unknown = {ReplayError::Kind::kUnknown, "a::b", 1, ""};
  RequireSameRefusal({}, unknown, FaultAt(-1));
  EXPECT_DEATH(RequireSameRefusal({}, unknown, std::nullopt), "is not loaded");
  const ReplayError other = {ReplayError::Kind::kRefused, "", 1, "an index is out of range"};
  RequireSameRefusal({}, other, std::nullopt);
  Draft jumps;
  jumps.steps.push_back(StepOf(InstructionKind::kJumpFalse, 0, 0));
  RequireSameRefusal(jumps, refused, std::nullopt);
}

}  // namespace
}  // namespace pteproof::fuzz
