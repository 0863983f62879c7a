// Programs and inputs that a hostile file can hold: each call ends at a limit or with a reason that
// names the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "properties/oracles/replay.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

TensorValue ZerosOf(Sizes sizes) {
  return Zeros(ScalarType::kFloat32, std::move(sizes));
}

// Why method 0 is not called; "made": it is.
std::string EndOf(const Program& program, const std::vector<Datum>& inputs,
                  const ReplayOptions& options = {}) {
  Replay replay(program, options);
  const auto outputs = replay.Call(0, inputs);
  return outputs.ok() ? "made" : outputs.error().explanation;
}

// A view of an input of 2 x 3 elements with these sizes.
Program ViewOf(const std::vector<int64_t>& sizes) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {2, 3});
  b.Input(x);
  std::vector<int32_t> items;
  for (const int64_t size : sizes) items.push_back(b.Int(size));
  const int32_t view = b.Planned(1, 0, {2, 3});
  b.Call("executorch_prim::et_view.default", {x, b.IntList(items), view});
  b.Output(view);
  return ProgramOf({b.Build()});
}

TEST(HostileViews, AreRefusedForTheirSizes) {
  const std::vector<int64_t> sizes[] = {
      {-2, -3},           {-6, -1},  {kLeast, 1}, {kMost, kMost}, {int64_t{1} << 32, 0},
      {0, kMost},         {-3, -2},  {6, -7},     {2, 4},         {-1, 0},
      {int64_t{1} << 62}, {1, 2, 3}, {6},         {3, 2},         {-1, -1, -1}};
  for (const auto& each : sizes) EXPECT_NE(EndOf(ViewOf(each), {ZerosOf({2, 3})}), "made");
  EXPECT_EQ(EndOf(ViewOf({2, -1}), {ZerosOf({2, 3})}), "made");
}

// An input of 2 x 3 elements in that order of dimensions.
Program InputIn(std::vector<int32_t> dim_order, Dynamism dynamism) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {2, 3});
  b.TensorAt(x).dynamism = dynamism;
  if (dim_order[0] == 1) {
    // The pool of numbers holds the sizes' order; a reversed one stands behind it.
    Method& method = b.method();
    b.TensorAt(x).dim_order = {static_cast<uint32_t>(method.ints.size()), 2};
    method.ints.insert(method.ints.end(), dim_order.begin(), dim_order.end());
  }
  b.Input(x);
  const int32_t y = b.Planned(1, 0, {2, 3});
  b.Mul(x, x, y);
  b.Output(y);
  return ProgramOf({b.Build()});
}

TEST(HostileInputs, AreRefusedForTheirSizes) {
  const Sizes sizes[] = {{},     {6},    {2},       {2, 3, 1},       {3, 3},         {4, 2},
                         {7, 1}, {1, 7}, {0, 0, 0}, {2, 3, 1, 1, 1}, {1, 1, 1, 1, 6}};
  for (const Dynamism dynamism : {Dynamism::kStatic, Dynamism::kBounded}) {
    for (const std::vector<int32_t>& order : {std::vector<int32_t>{0, 1}, {1, 0}}) {
      for (const Sizes& each : sizes) {
        EXPECT_THAT(EndOf(InputIn(order, dynamism), {ZerosOf(each)}),
                    AllOf(HasSubstr("input 0 has the sizes ["), HasSubstr("[2, 3]")));
      }
      EXPECT_EQ(EndOf(InputIn(order, dynamism), {ZerosOf({2, 3})}), "made");
    }
  }
}

TEST(HostileInputs, AreRefusedForNegativeSizes) {
  for (const Sizes& sizes : {Sizes{0, -1}, Sizes{-1, 0}, Sizes{-2, -3}, Sizes{-1, -1}}) {
    for (const std::vector<int32_t>& order : {std::vector<int32_t>{0, 1}, {1, 0}}) {
      TensorValue x = ZerosOf({0, 0});
      x.sizes = sizes;
      EXPECT_THAT(EndOf(InputIn(order, Dynamism::kBounded), {x}), HasSubstr("input 0 has the"));
    }
  }
}

TEST(HostileInputs, AreRefusedForTheirBytes) {
  for (const size_t bytes : {0U, 1U, 4U, 20U, 23U, 25U, 28U, 48U, 96U, 1000U}) {
    TensorValue x = ZerosOf({2, 3});
    x.bytes.resize(bytes);
    EXPECT_THAT(EndOf(InputIn({1, 0}, Dynamism::kStatic), {x}), HasSubstr("its sizes take 24"));
  }
}

// A value of a list of integers that is another number, whatever it is.
TEST(HostileLists, AreRefusedForNumbersThatAreNotIntegers) {
  const Datum numbers[] = {std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN(),
                           1e300,
                           -1e300,
                           1e19,
                           2.0,
                           0.5,
                           -0.0,
                           true,
                           false};
  for (const Datum& number : numbers) {
    MethodBuilder b;
    const int32_t size = b.Int(2);
    b.Input(size);
    const int32_t y = b.Planned(1, 0, {2});
    b.Call("aten::full.out", {b.IntList({size}), b.Int(1), y, y});
    b.Output(y);
    EXPECT_THAT(EndOf(ProgramOf({b.Build()}), {number}),
                AllOf(HasSubstr("aten::full.out"), HasSubstr("is not an integer")));
  }
}

// x * x, `times` over.
Program Products(int32_t size, int times) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {size});
  b.Input(x);
  uint64_t offset = 0;
  int32_t last = x;
  for (int n = 0; n < times; ++n, offset += 4U * static_cast<uint32_t>(size)) {
    const int32_t y = b.Planned(1, offset, {size});
    b.Mul(last, x, y);
    last = y;
  }
  b.Output(last);
  return ProgramOf({b.Build()});
}

TEST(CallsBeyondALimit, AreToldByInstructionAndOperator) {
  const Program program = Products(1000, 30);
  const std::vector<Datum> inputs = {ZerosOf({1000})};
  Replay few(program, {.limits = {.work = 50'000}});
  const auto stopped = few.Call(0, inputs);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ReplayError::Kind::kFuel);
  EXPECT_GT(stopped.error().instruction, 0);
  EXPECT_LT(stopped.error().instruction, 29);
  EXPECT_THAT(stopped.error().explanation,
              AllOf(HasSubstr("aten::mul.out: the call's work is"), HasSubstr("limit is 50000")));
  EXPECT_EQ(EndOf(program, inputs), "made");
}

// Contents that no later instruction needs are free again.
TEST(CallsBeyondALimit, CountTheMemoryThatLives) {
  const std::vector<Datum> inputs = {ZerosOf({1000})};
  EXPECT_EQ(EndOf(Products(1000, 100), inputs, {.limits = {.memory = 30'000}}), "made");
  EXPECT_THAT(EndOf(Products(1000, 2), inputs, {.limits = {.memory = 7'000}}),
              AllOf(HasSubstr("the call's values take"), HasSubstr("limit is 7000")));
}

TEST(CallsBeyondALimit, AreStoppedForOutputsThatTheCallerHolds) {
  const Program program = Products(1000, 1);
  const std::vector<Datum> inputs = {ZerosOf({1000})};
  Replay replay(program, {.limits = {.memory = 40'000}});
  std::vector<std::vector<Datum>> held;
  bool stopped = false;
  for (int call = 0; call < 20 && !stopped; ++call) {
    auto outputs = replay.Call(0, inputs);
    stopped = !outputs.ok();
    if (outputs.ok()) held.push_back(std::move(outputs).value());
  }
  EXPECT_TRUE(stopped);
  held.clear();
  EXPECT_TRUE(replay.Call(0, inputs).ok());
}

// A constant that no memory holds is not made.
TEST(CallsBeyondALimit, AreStoppedForDeclaredSizes) {
  MethodBuilder b;
  b.Output(b.Constant(1, {1 << 30, 1 << 10}));
  Program program = ProgramOf({b.Build()});
  program.constants = {{}, {}};
  EXPECT_THAT(EndOf(program, {}), HasSubstr("bytes; the limit is"));
}

// A buffer that a call found no memory for is made by a later one, or not at all.
TEST(CallsBeyondALimit, LeaveNoHalfOfABuffer) {
  MethodBuilder b;
  const int32_t x = b.Planned(2, 0, {2});
  b.Input(x);
  const int32_t buffer = b.Planned(3, 0, {1000}, "buffer");
  const int32_t y = b.Planned(1, 0, {1000});
  b.Mul(buffer, buffer, y);
  b.Output(y);
  const Program program = ProgramOf({b.Build()});
  Replay replay(program, {.limits = {.memory = 3'000}});
  for (int call = 0; call < 2; ++call) {
    const auto outputs = replay.Call(0, std::vector<Datum>{ZerosOf({2})});
    ASSERT_FALSE(outputs.ok());
    EXPECT_EQ(outputs.error().kind, ReplayError::Kind::kMemory);
  }
}

}  // namespace
}  // namespace pteproof
