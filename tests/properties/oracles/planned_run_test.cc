#include "properties/oracles/planned_run.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/tensor_value.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

// Doubles its input, in bank 2 of 64 bytes; `state` adds a buffer at that byte of the bank.
Method Doubling(const char* name, std::optional<uint64_t> state) {
  MethodBuilder b(name);
  const int32_t x = b.Planned(2, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(2, 32, {8});
  b.Add(x, x, sum);
  if (state) b.Planned(2, *state, {8}, "kept");
  b.Output(sum);
  return b.Build();
}

// What lies between buffers is spoilt before a call; no byte behind the bank is.
TEST(PlannedRun, LeavesMemoryBehindABankThatAnotherMethodsStateExceeds) {
  Program program = ProgramOf({Doubling("fits", {}), Doubling("exceeds", 4096)});
  for (Method& method : program.methods) method.bank_sizes[2] = 64;
  auto run = PlannedRun::Load(program, {.policy = Policy::kShareAll, .lazy = true});
  ASSERT_TRUE(run.ok());
  const std::vector<Datum> inputs = {Zeros(ScalarType::kFloat32, {8})};
  EXPECT_TRUE(run.value().Call(0, inputs).ok());
  EXPECT_FALSE(run.value().Call(1, inputs).ok());
}

TensorValue Ones() {
  TensorValue ones = Zeros(ScalarType::kFloat32, {8});
  for (int64_t i = 0; i < 8; ++i) SetReal(ones, i, 1);
  return ones;
}

TEST(PlannedRun, GivesOutputsThatOutliveTheNextCallUnlessTheyAreLent) {
  const Program program = ProgramOf({Doubling("forward", {})});
  for (const bool lends : {false, true}) {
    auto run = PlannedRun::Load(program, {.lends_outputs = lends});
    ASSERT_TRUE(run.ok());
    const std::vector<Datum> inputs = {Ones()};
    const auto outputs = run.value().Call(0, inputs);
    ASSERT_TRUE(outputs.ok());
    const auto& tensor = std::get<TensorValue>(outputs.value()[0]);
    EXPECT_EQ(tensor.bytes.is_view(), lends);
    EXPECT_EQ(RealAt(tensor, 7), 2);
    if (lends) continue;
    const std::vector<Datum> zeros = {Zeros(ScalarType::kFloat32, {8})};
    ASSERT_TRUE(run.value().Call(0, zeros).ok());
    EXPECT_EQ(RealAt(tensor, 7), 2);
  }
}

// count = count + x; the output is count.
TEST(PlannedRun, StartsOverAsIfLoadedAgain) {
  MethodBuilder m;
  const int32_t count = m.Planned(1, 0, {8}, "count");
  const int32_t x = m.Planned(1, 32, {8});
  m.Input(x);
  const int32_t sum = m.Planned(1, 64, {8});
  m.Add(count, x, sum);
  m.Copy(count, sum);
  m.Output(sum);
  const Program program = ProgramOf({m.Build()});
  auto run = PlannedRun::Load(program, {});
  ASSERT_TRUE(run.ok());
  const std::vector<Datum> inputs = {Ones()};
  for (const double expected : {1, 2, 1, 2}) {
    if (expected == 1) run.value().StartOver();
    const auto outputs = run.value().Call(0, inputs);
    ASSERT_TRUE(outputs.ok());
    EXPECT_EQ(RealAt(std::get<TensorValue>(outputs.value()[0]), 7), expected);
  }
}

}  // namespace
}  // namespace pteproof
