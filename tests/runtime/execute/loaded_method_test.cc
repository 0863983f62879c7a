#include "runtime/execute/loaded_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "meaning/opaque_calls.h"
#include "runtime/execute/instance.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

class LoadedMethodTest : public testing::Test {
 protected:
  // A program of one method, loaded.
  LoadedMethod& Load(const Method& method, KernelSet kernels = KernelSet::kReal) {
    program_ = ProgramOf({method});
    program_.constants = {{}, constant_};
    auto instance = Instance::Load(program_, {.kernels = kernels});
    EXPECT_TRUE(instance.ok()) << instance.error().explanation;
    instance_ = std::move(instance).value();
    return *instance_->MethodAt(0).value();
  }
  std::string WhyNotLoaded(const Method& method, KernelSet kernels = KernelSet::kReal,
                           const GivenOpaqueCalls& opaque = nullptr) {
    program_ = ProgramOf({method});
    program_.constants = {{}, constant_};
    const auto instance = Instance::Load(program_, {.kernels = kernels, .opaque_calls = opaque});
    return instance.ok() ? "" : instance.error().explanation;
  }

  RunInput Floats(std::vector<float>& values) {
    sizes_ = {static_cast<int64_t>(values.size())};
    RunInput input;
    input.kind = ValueKind::kTensor;
    input.dtype = ScalarType::kFloat32;
    input.sizes = sizes_;
    input.data = std::as_writable_bytes(std::span(values));
    return input;
  }
  static std::vector<float> FloatsOf(const RunValue& value) {
    std::vector<float> floats(static_cast<size_t>(ElementCount(*value.tensor)));
    std::memcpy(floats.data(), value.tensor->memory().bytes().data(),
                floats.size() * sizeof(float));
    return floats;
  }

  std::vector<std::byte> constant_ = std::vector<std::byte>(16);
  std::vector<int64_t> sizes_;
  Program program_;
  std::unique_ptr<Instance> instance_;
};

TEST_F(LoadedMethodTest, InputsThatDoNotFitAreRefusedAndNothingIsWritten) {
  MethodBuilder b;
  b.Input(b.Planned(1, 0, {2}));
  LoadedMethod& method = Load(b.Build());
  std::vector<float> good = {1, 2};
  ASSERT_FALSE(method.SetInput(0, Floats(good)));
  const auto refused = [&](RunInput input) {
    const auto fault = method.SetInput(0, input);
    return fault ? fault->explanation : "";
  };
  std::vector<float> many = {1, 2, 3};
  EXPECT_THAT(refused(Floats(many)), HasSubstr("static"));
  RunInput wrong = Floats(good);
  wrong.dtype = ScalarType::kInt32;
  EXPECT_THAT(refused(wrong), HasSubstr("another element type than the input"));
  wrong = Floats(good);
  wrong.data = wrong.data.first(7);
  EXPECT_THAT(refused(wrong), HasSubstr("fewer bytes than its sizes need"));
  wrong = Floats(good);
  wrong.sizes = {};
  EXPECT_THAT(refused(wrong), HasSubstr("number of dimensions"));
  EXPECT_THAT(refused({.kind = ValueKind::kInt, .integer = 3}), HasSubstr("the input is a tensor"));
  EXPECT_TRUE(method.SetInput(1, Floats(good)));
  const Bank& bank = *instance_->BankOf(0, 1);
  EXPECT_EQ(std::memcmp(bank.bytes.data(), good.data(), sizeof(float) * good.size()), 0);
}

TEST_F(LoadedMethodTest, UnplannedInputsAndOutputsStayInTheCallersMemory) {
  MethodBuilder b;
  const int32_t in = b.Unplanned({2});
  const int32_t out = b.Unplanned({2});
  b.Input(in);
  b.Output(out);
  b.Copy(out, in);
  LoadedMethod& method = Load(b.Build());
  std::vector<float> given = {3, 4};
  std::vector<float> result(2);
  ASSERT_FALSE(method.SetInput(0, Floats(given)));
  const auto without = method.Execute(10);
  ASSERT_TRUE(without.has_value());
  EXPECT_THAT(without->explanation, HasSubstr("no memory"));
  const auto bytes = std::as_writable_bytes(std::span(result));
  EXPECT_TRUE(method.SetOutput(0, bytes.first(7)));
  ASSERT_FALSE(method.SetInput(0, Floats(given)));
  ASSERT_FALSE(method.SetOutput(0, bytes));
  ASSERT_FALSE(method.Execute(10));
  EXPECT_EQ(result, given);
  EXPECT_EQ(method.Output(0).tensor->memory().bytes().data(), bytes.data());
}

TEST_F(LoadedMethodTest, ALoopThatDoesNotEndRunsOutOfFuel) {
  MethodBuilder b;
  b.JumpFalse(b.Bool(false), 0);
  const auto fault = Load(b.Build()).Execute(1000);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, RunFault::Kind::kFuel);
  EXPECT_EQ(fault->instruction, 0);
}

// What is found out of a call at load does not hold for a place that another tensor is moved to.
TEST_F(LoadedMethodTest, AMovedTensorIsTakenWithItsOwnSizes) {
  for (const int32_t elements : {4, 2}) {
    MethodBuilder b;
    const int32_t place = b.Planned(1, 0, {4});
    const int32_t moved = b.Planned(1, 16, {elements});
    const int32_t out = b.Planned(1, 32, {4});
    b.Input(place);
    b.Input(moved);
    b.Output(out);
    b.Mul(place, place, out);
    b.Move(moved, place);
    b.Mul(place, place, out);
    LoadedMethod& method = Load(b.Build());
    for (int call = 0; call < 2; ++call) {
      std::vector<float> first = {1, 2, 3, 4};
      std::vector<float> second(static_cast<size_t>(elements), 5);
      ASSERT_FALSE(method.SetInput(0, Floats(first)));
      ASSERT_FALSE(method.SetInput(1, Floats(second)));
      const auto fault = method.Execute(10);
      ASSERT_EQ(fault.has_value(), elements == 2);
      if (fault) EXPECT_EQ(fault->instruction, 2);
      if (!fault) EXPECT_EQ(FloatsOf(method.Output(0)).front(), 25);
    }
  }
}

TEST_F(LoadedMethodTest, ConstantsAreNotWritten) {
  MethodBuilder b;
  const int32_t constant = b.Constant(1, {4});
  const int32_t source = b.Planned(1, 0, {4});
  b.Input(source);
  b.Copy(constant, source);
  LoadedMethod& method = Load(b.Build());
  std::vector<float> given(4);
  ASSERT_FALSE(method.SetInput(0, Floats(given)));
  const auto fault = method.Execute(10);
  ASSERT_TRUE(fault.has_value());
  EXPECT_THAT(fault->explanation, HasSubstr("write to a constant"));
}

TEST_F(LoadedMethodTest, SaysWhichArgumentIsOfAnotherKind) {
  MethodBuilder b;
  const int32_t tensor = b.Planned(1, 0, {4});
  const int32_t number = b.Int(1);
  b.Call("aten::copy_", {tensor, number, b.Bool(false), tensor});
  EXPECT_THAT(WhyNotLoaded(b.Build()), HasSubstr("'src' is of another kind"));
  MethodBuilder moves;
  moves.Move(moves.Int(1), moves.Planned(1, 0, {4}));
  EXPECT_THAT(WhyNotLoaded(moves.Build()), HasSubstr("have different kinds"));
}

TEST_F(LoadedMethodTest, UnknownOperatorsRunUnderHashOnlyAndAsGiven) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(1, 16, {4});
  b.Input(in);
  b.Output(out);
  b.Call("custom::wave.out", {in, b.Int(1), out, out});
  EXPECT_THAT(WhyNotLoaded(b.Build()), HasSubstr("no kernel"));
  const auto given = meaning::OpaqueCallsOf(ProgramOf({b.Build()}), nullptr);
  EXPECT_THAT(WhyNotLoaded(b.Build(), KernelSet::kReal, given), HasSubstr("no kernel"));
  EXPECT_EQ(WhyNotLoaded(b.Build(), KernelSet::kHash, given), "");
  const auto none = std::make_shared<const std::vector<OpaqueCalls>>();
  for (const GivenOpaqueCalls& empty : {GivenOpaqueCalls(), GivenOpaqueCalls(none)}) {
    EXPECT_EQ(WhyNotLoaded(b.Build(), KernelSet::kHash, empty),
              "which arguments are operands and which are results is not given for the call of "
              "'custom::wave.out'");
  }
}

// What a call mixes must not depend on where its operand lies, unless that is under its result.
TEST_F(LoadedMethodTest, UnderHashAnOperandUnderAResultShows) {
  const auto flipped = [&](uint64_t place_of_result, bool elementwise) {
    MethodBuilder b;
    const int32_t in = b.Planned(1, 0, {4});
    const int32_t out = b.Planned(1, place_of_result, {4});
    b.Input(in);
    b.Output(out);
    elementwise ? b.Mul(in, in, out) : b.Flip(in, out);
    LoadedMethod& method = Load(b.Build(), KernelSet::kHash);
    std::vector<float> values = {1, 2, 3, 4};
    EXPECT_FALSE(method.SetInput(0, Floats(values)));
    EXPECT_FALSE(method.Execute(10));
    std::vector<std::byte> bytes(16);
    std::memcpy(bytes.data(), method.Output(0).tensor->memory().bytes().data(), bytes.size());
    return bytes;
  };
  EXPECT_EQ(flipped(16, false), flipped(32, false));
  EXPECT_NE(flipped(0, false), flipped(16, false));
  EXPECT_EQ(flipped(0, true), flipped(16, true));
  EXPECT_NE(flipped(4, true), flipped(16, true));
}

TEST_F(LoadedMethodTest, ATensorIsTrueWhereAllItsElementsAre) {
  for (const auto& [first, second, jumps] : {std::tuple{1, 1, false}, {1, 0, true}, {0, 1, true}}) {
    MethodBuilder b;
    const int32_t flags = b.Planned(1, 0, {2}, {}, ScalarType::kBool);
    const int32_t from = b.Planned(1, 16, {1});
    const int32_t to = b.Planned(1, 32, {1});
    b.Input(flags);
    b.Input(from);
    b.Output(to);
    const int32_t jump = b.JumpFalse(flags, 0);
    b.Copy(to, from);
    b.SetTarget(jump, b.Next());
    LoadedMethod& method = Load(b.Build());
    std::array<std::byte, 2> given = {std::byte(first), std::byte(second)};
    const std::array<int64_t, 1> sizes = {2};
    ASSERT_FALSE(method.SetInput(
        0,
        {.kind = ValueKind::kTensor, .dtype = ScalarType::kBool, .sizes = sizes, .data = given}));
    std::vector<float> value = {7};
    ASSERT_FALSE(method.SetInput(1, Floats(value)));
    ASSERT_FALSE(method.Execute(10));
    EXPECT_EQ(FloatsOf(method.Output(0))[0], jumps ? 0.0F : 7.0F);
  }
}

}  // namespace
}  // namespace pteproof
