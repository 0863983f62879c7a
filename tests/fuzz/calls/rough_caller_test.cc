// What a caller that keeps to no rule asks of the runtime, and what it takes for a broken promise.
#include "fuzz/calls/rough_caller.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "fuzz/calls/make_draft.h"
#include "fuzz/calls/own_calls.h"
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

Draft OneJump(ScalarType moved) {
  Draft draft;
  DraftValue tensor;
  tensor.kind = ValueKind::kTensor;
  tensor.tensor.dtype = moved;
  const int32_t from = draft.Add(tensor);
  tensor.tensor.dtype = ScalarType::kBool;
  const int32_t condition = draft.Add(tensor);
  draft.steps.push_back(StepOf(InstructionKind::kMove, from, condition));
  draft.steps.push_back(StepOf(InstructionKind::kJumpFalse, condition, 2));
  return draft;
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

TEST(SameRefusals, AskTheReferenceForWhatAnyRunLacks) {
  const Draft jump = OneJump(ScalarType::kBool);
  RunFault fault = FaultAt(1);
  fault.explanation = "the condition is not a bool";
  EXPECT_DEATH(RequireSameRefusal(jump, std::nullopt, fault), "refused by the reference");
  const ReplayError refused = {ReplayError::Kind::kRefused, "", 1, "the condition is not a bool"};
  RequireSameRefusal(jump, refused, fault);
  const ReplayError later = {ReplayError::Kind::kRefused, "", 2, ""};
  EXPECT_DEATH(RequireSameRefusal(jump, later, fault), "refused by the reference");
}

TEST(SameRefusals, TakeNoOtherTypeForACondition) {
  RequireSameRefusal(OneJump(ScalarType::kBool), std::nullopt, std::nullopt);
  EXPECT_DEATH(RequireSameRefusal(OneJump(ScalarType::kInt8), std::nullopt, std::nullopt),
               "a condition is a bool");
}

TEST(SameRefusals, TakeNoCallThatNothingMakes) {
  Draft draft;
  draft.steps.push_back(AddNeedlessCall(draft, 0, 1));
  RequireSameRefusal(draft, std::nullopt, std::nullopt);
  draft.steps[0].op = &OwnCalls()[0];
  EXPECT_DEATH(RequireSameRefusal(draft, std::nullopt, std::nullopt), "without a kernel");
}

TEST(SameSizes, AreAskedOfRunsThatCameToTheirEnd) {
  const ReferenceEnd reference = {std::nullopt, {{2, 3}}};
  RequireSameSizes({}, {}, true, reference, {std::nullopt, {{2, 3}}});
  RequireSameSizes({}, {}, true, reference, {FaultAt(0), {}});
  EXPECT_DEATH(RequireSameSizes({}, {}, true, reference, {std::nullopt, {{2, 2}}}),
               "outputs have the sizes");
  RequireSameSizes(OneJump(ScalarType::kBool), {}, true, reference, {std::nullopt, {{2, 2}}});
}

}  // namespace
}  // namespace pteproof::fuzz
