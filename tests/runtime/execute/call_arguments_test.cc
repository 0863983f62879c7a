// What callers give wrong, or not at all: errors, before anything is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/execute/instance.h"
#include "tests/support/method_builder.h"
#include "tests/support/whole_call.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

constexpr int64_t kFewSteps = 100;

// out = in + state; state = in. Input and output are the caller's.
Method Remembering() {
  MethodBuilder b;
  const int32_t in = b.Unplanned({4});
  const int32_t out = b.Unplanned({4});
  const int32_t state = b.Planned(2, 0, {4}, "state");
  b.Input(in);
  b.Output(out);
  b.Output(state);
  b.Add(in, state, out);
  b.Copy(state, in);
  return b.Build();
}

class CallArgumentsTest : public testing::Test {
 protected:
  void Load(const Method& method) {
    program_ = ProgramOf({method});
    program_.constants = {{}, constant_};
    auto instance = Instance::Load(program_);
    ASSERT_TRUE(instance.ok()) << instance.error().explanation;
    instance_ = std::move(instance).value();
    loaded_ = instance_->MethodAt(0).value();
  }
  [[nodiscard]] RunInput Floats(std::vector<float>& values) {
    sizes_ = {static_cast<int64_t>(values.size())};
    RunInput input;
    input.kind = ValueKind::kTensor;
    input.dtype = ScalarType::kFloat32;
    input.sizes = sizes_;
    input.data = std::as_writable_bytes(std::span(values));
    return input;
  }
  static std::string ExplanationOf(const std::optional<RunFault>& fault) {
    return fault ? fault->explanation : "";
  }

  std::vector<std::byte> constant_ = std::vector<std::byte>(16);
  std::vector<int64_t> sizes_;
  Program program_;
  std::unique_ptr<Instance> instance_;
  LoadedMethod* loaded_ = nullptr;
};

TEST_F(CallArgumentsTest, EachCallNeedsItsInputs) {
  Load(Remembering());
  std::vector<float> given = {1, 2, 3, 4};
  std::vector<float> out(4);
  const auto lent = std::as_writable_bytes(std::span(out));
  const auto before = BankBytes(*instance_, 0);
  ASSERT_FALSE(loaded_->SetOutput(0, lent));
  EXPECT_EQ(ExplanationOf(loaded_->Execute(kFewSteps)), "input 0: the caller set no value");
  EXPECT_EQ(BankBytes(*instance_, 0), before);
  ASSERT_FALSE(loaded_->SetInput(0, Floats(given)));
  EXPECT_FALSE(loaded_->Execute(kFewSteps));
  EXPECT_EQ(out, given);
  const auto after = BankBytes(*instance_, 0);
  EXPECT_NE(after, before);
  // The caller's memory may be gone by now.
  given.clear();
  given.shrink_to_fit();
  EXPECT_EQ(ExplanationOf(loaded_->Execute(kFewSteps)), "input 0: the caller set no value");
  EXPECT_EQ(BankBytes(*instance_, 0), after);
}

TEST_F(CallArgumentsTest, ARefusedCallGivesItsInputsBack) {
  MethodBuilder b;
  const int32_t one = b.Unplanned({4});
  const int32_t other = b.Unplanned({4});
  const int32_t out = b.Unplanned({4});
  b.Input(one);
  b.Input(other);
  b.Output(out);
  b.Add(one, other, out);
  Load(b.Build());
  std::vector<float> given = {1, 2, 3, 4};
  std::vector<float> sum(4);
  ASSERT_FALSE(loaded_->SetOutput(0, std::as_writable_bytes(std::span(sum))));
  ASSERT_FALSE(loaded_->SetInput(1, Floats(given)));
  EXPECT_EQ(ExplanationOf(loaded_->Execute(kFewSteps)), "input 0: the caller set no value");
  ASSERT_FALSE(loaded_->SetInput(0, Floats(given)));
  EXPECT_EQ(ExplanationOf(loaded_->Execute(kFewSteps)), "input 1: the caller set no value");
}

TEST_F(CallArgumentsTest, AnOutputKeepsItsMemoryUntilOtherIsGiven) {
  Load(Remembering());
  std::vector<float> given = {1, 2, 3, 4};
  std::vector<float> out(4);
  std::vector<float> other(4);
  const auto before = BankBytes(*instance_, 0);
  ASSERT_FALSE(loaded_->SetInput(0, Floats(given)));
  const auto fault = loaded_->Execute(kFewSteps);
  ASSERT_TRUE(fault.has_value());
  EXPECT_THAT(fault->explanation, HasSubstr("a tensor has no memory"));
  EXPECT_EQ(fault->kind, RunFault::Kind::kUnplaced);
  EXPECT_EQ(fault->instruction, 0);
  EXPECT_EQ(BankBytes(*instance_, 0), before);
  const auto call = [&] {
    return !loaded_->SetInput(0, Floats(given)) && !loaded_->Execute(kFewSteps);
  };
  ASSERT_FALSE(loaded_->SetOutput(0, std::as_writable_bytes(std::span(out))));
  ASSERT_TRUE(call());
  EXPECT_EQ(out, given);
  ASSERT_TRUE(call());
  const std::vector<float> twice = {2, 4, 6, 8};
  EXPECT_EQ(out, twice);
  ASSERT_FALSE(loaded_->SetOutput(0, std::as_writable_bytes(std::span(other))));
  out.clear();
  ASSERT_TRUE(call());
  EXPECT_EQ(other, twice);
}

TEST_F(CallArgumentsTest, ARefusedInputCountsAsNotGiven) {
  Load(Remembering());
  std::vector<float> given = {1, 2, 3, 4};
  std::vector<float> out(4);
  ASSERT_FALSE(loaded_->SetOutput(0, std::as_writable_bytes(std::span(out))));
  ASSERT_FALSE(loaded_->SetInput(0, Floats(given)));
  const auto refused = [&](const RunInput& input) {
    const std::string explanation = ExplanationOf(loaded_->SetInput(0, input));
    EXPECT_EQ(ExplanationOf(loaded_->Execute(kFewSteps)), "input 0: the caller set no value");
    return explanation;
  };
  RunInput wrong = Floats(given);
  wrong.data = wrong.data.first(15);
  EXPECT_THAT(refused(wrong), HasSubstr("fewer bytes than its sizes need"));
  wrong.data = {};
  EXPECT_THAT(refused(wrong), HasSubstr("fewer bytes than its sizes need"));
  wrong = Floats(given);
  wrong.dtype = ScalarType::kFloat64;
  EXPECT_THAT(refused(wrong), HasSubstr("another element type than the input"));
  const std::array<int64_t, 2> square = {2, 2};
  wrong = Floats(given);
  wrong.sizes = square;
  EXPECT_THAT(refused(wrong), HasSubstr("number of dimensions"));
  const std::array<int64_t, 1> negative = {-4};
  wrong.sizes = negative;
  EXPECT_THAT(refused(wrong), HasSubstr("static"));
  EXPECT_THAT(refused({}), HasSubstr("the input is a tensor"));
  EXPECT_EQ(out, std::vector<float>(4));
  ASSERT_FALSE(loaded_->SetInput(0, Floats(given)));
  EXPECT_FALSE(loaded_->Execute(kFewSteps));
}

TEST_F(CallArgumentsTest, AnInputBeyondItsUpperBoundIsRefused) {
  for (const bool planned : {true, false}) {
    MethodBuilder b;
    const int32_t in = planned ? b.Planned(1, 0, {4}) : b.Unplanned({4});
    b.TensorAt(in).dynamism = Dynamism::kBounded;
    b.Input(in);
    b.Output(in);
    Load(b.Build());
    std::vector<float> many(5);
    EXPECT_THAT(ExplanationOf(loaded_->SetInput(0, Floats(many))), HasSubstr("upper bound"));
    std::vector<float> few(3, 1);
    EXPECT_EQ(ExplanationOf(loaded_->SetInput(0, Floats(few))), "");
    EXPECT_FALSE(loaded_->Execute(kFewSteps));
    EXPECT_EQ(OutputBytes(*loaded_)[0].size(), 3 * sizeof(float));
    const std::array<int64_t, 1> huge = {int64_t{1} << 62};
    RunInput wrong = Floats(few);
    wrong.sizes = huge;
    EXPECT_THAT(ExplanationOf(loaded_->SetInput(0, wrong)), HasSubstr("out of range"));
  }
}

TEST_F(CallArgumentsTest, NumbersAreOfTheKindThatTheMethodTakes) {
  MethodBuilder b;
  const int32_t number = b.Int(3);
  b.Input(number);
  b.Output(number);
  Load(b.Build());
  EXPECT_THAT(ExplanationOf(loaded_->SetInput(0, {.kind = ValueKind::kBool, .integer = 1})),
              HasSubstr("another kind than the input"));
  EXPECT_THAT(ExplanationOf(loaded_->SetInput(0, {})), HasSubstr("another kind than the input"));
  std::vector<float> floats = {1};
  EXPECT_THAT(ExplanationOf(loaded_->SetInput(0, Floats(floats))),
              HasSubstr("another kind than the input"));
  EXPECT_TRUE(loaded_->Execute(kFewSteps));
  ASSERT_FALSE(loaded_->SetInput(0, {.kind = ValueKind::kInt, .integer = 8}));
  ASSERT_FALSE(loaded_->Execute(kFewSteps));
  EXPECT_EQ(loaded_->Output(0).integer, 8);
}

TEST_F(CallArgumentsTest, OutputsMustBeThereWithoutAPlaceAndLargeEnough) {
  MethodBuilder b;
  const int32_t in = b.Unplanned({4});
  const int32_t out = b.Unplanned({4});
  b.Input(in);
  for (const int32_t v : {out, in, b.Planned(1, 0, {4}), b.Constant(1, {4}), b.Int(1)}) b.Output(v);
  b.Copy(out, in);
  Load(b.Build());
  std::vector<std::byte> memory(16);
  const auto explanation = [&](size_t n, size_t count) {
    return ExplanationOf(loaded_->SetOutput(n, std::span(memory).first(count)));
  };
  EXPECT_EQ(explanation(0, 16), "");
  EXPECT_THAT(explanation(0, 15), HasSubstr("too small"));
  EXPECT_THAT(ExplanationOf(loaded_->SetOutput(0, {})), HasSubstr("too small"));
  EXPECT_THAT(explanation(1, 16), HasSubstr("the output is also an input"));
  EXPECT_THAT(explanation(2, 16), HasSubstr("has a place for the output"));
  EXPECT_THAT(explanation(3, 16), HasSubstr("a constant of the program"));
  EXPECT_THAT(explanation(4, 16), HasSubstr("has a place for the output"));
  EXPECT_THAT(explanation(5, 16), HasSubstr("fewer"));
}

TEST_F(CallArgumentsTest, WritesToAnUnplannedInputOnlyWhereTheProgramMutatesIt) {
  for (const bool mutates : {true, false}) {
    MethodBuilder b;
    const int32_t in = b.Unplanned({4});
    const int32_t other = b.Planned(1, 0, {4});
    b.Input(in);
    b.Input(other);
    mutates ? b.Copy(in, other) : b.Copy(other, in);
    Load(b.Build());
    WholeCall call(program_.methods[0], 5);
    const auto given = call.bytes(0);
    const auto planned = call.bytes(1);
    ASSERT_FALSE(call.Make(*loaded_));
    EXPECT_EQ(call.bytes(0), mutates ? planned : given);
    EXPECT_EQ(call.bytes(1), planned);
  }
}

// A view of the first call's input must not be read in the second one.
TEST_F(CallArgumentsTest, WhatTheLastCallViewedIsGone) {
  MethodBuilder b;
  const int32_t flag = b.Bool(true);
  const int32_t in = b.Unplanned({4});
  const int32_t view = b.Unplanned({2, 2});
  const int32_t out = b.Planned(1, 0, {2, 2});
  const int32_t two = b.Int(2);
  b.Input(flag);
  b.Input(in);
  b.Output(out);
  const int32_t jump = b.JumpFalse(flag, 0);
  b.Call("executorch_prim::et_view.default", {in, b.IntList({two, two}), view});
  b.SetTarget(jump, b.Next());
  b.Copy(out, view);
  Load(b.Build());
  WholeCall call(program_.methods[0], 5);
  call.inputs()[0].integer = 1;
  ASSERT_EQ(ExplanationOf(call.Make(*loaded_)), "");
  EXPECT_EQ(OutputBytes(*loaded_)[0], call.bytes(1));
  call.inputs()[0].integer = 0;
  EXPECT_THAT(ExplanationOf(call.Make(*loaded_)), HasSubstr("a tensor has no memory"));
  call.inputs()[0].integer = 1;
  EXPECT_EQ(ExplanationOf(call.Make(*loaded_)), "");
}

}  // namespace
}  // namespace pteproof
