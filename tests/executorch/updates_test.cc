// Updates of a part of a buffer, planned in the buffer's own bytes, give in ExecuTorch's runtime
// what the reference says, also where places repeat.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "planner/plan.h"
#include "pteproof/write.h"
#include "reference/graph/parse.h"
#include "reference/tensor_value.h"
#include "tests/executorch/comparable_case.h"

namespace pteproof {
namespace {

constexpr const char* kUpdates = R"(
buffer @t: float32[6, 4] shared
buffer @c: float32[1, 4, 2, 4] shared

method put(%i: int64[3], %v: float32[3, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::index_put.out(%0, [%i], %v, false) in_place(0)
  return
  store @t = %1
}
method put_one(%i: int64[3], %j: int64[3], %v: float32[1]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::index_put.out(%0, [%i, %j], %v, false) in_place(0)
  return
  store @t = %1
}
method put_sum(%i: int64[3], %v: float32[3, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::index_put.out(%0, [%i], %v, true) in_place(0)
  return
  store @t = %1
}
method scatter(%i: int64[3, 4], %v: float32[3, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::scatter.src_out(%0, 0, %i, %v) in_place(0)
  return
  store @t = %1
}
method scatter_number(%i: int64[3, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::scatter.value_out(%0, 0, %i, 7.5) in_place(0)
  return
  store @t = %1
}
method scatter_sum(%i: int64[3, 4], %v: float32[3, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::scatter_add.out(%0, 0, %i, %v) in_place(0)
  return
  store @t = %1
}
method slice(%v: float32[2, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::slice_scatter.out(%0, %v, 0, 1, 5, 2) in_place(0)
  return
  store @t = %1
}
method select(%v: float32[6]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::select_scatter.out(%0, %v, 1, -2) in_place(0)
  return
  store @t = %1
}
method fill(%m: bool[6, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::masked_fill.Scalar_out(%0, %m, -2.5) in_place(0)
  return
  store @t = %1
}
method masked(%m: bool[6, 4], %v: float32[24]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::masked_scatter.out(%0, %m, %v) in_place(0)
  return
  store @t = %1
}
method cache(%v: float32[1, 2, 2, 4]) {
  %0 = entry @c
  %1: float32[1, 4, 2, 4] = llama::update_cache.out(%v, %0, 1)
  return
}
method twice(%i: int64[3], %v: float32[3, 4]) {
  %0 = entry @t
  %1: float32[6, 4] = aten::index_put.out(%0, [%i], %v, true) in_place(0)
  %2: float32[6, 4] = aten::index_put.out(%1, [%i], %v, true) in_place(0)
  return
  store @t = %2
}
method read() {
  %0 = entry @t
  %1 = entry @c
  return %0, %1
}
)";

TensorValue Numbers(Sizes sizes, double first) {
  TensorValue t = Zeros(ScalarType::kFloat32, std::move(sizes));
  for (int64_t i = 0; i < ElementCount(t); ++i) {
    SetReal(t, i, first + static_cast<double>(i) / 4);
  }
  return t;
}

TensorValue Places(Sizes sizes, const std::vector<int64_t>& places, ScalarType dtype) {
  TensorValue t = Zeros(dtype, std::move(sizes));
  const auto count = static_cast<int64_t>(places.size());
  for (int64_t i = 0; i < ElementCount(t); ++i) {
    SetInt(t, i, places[static_cast<size_t>(i % count)]);
  }
  return t;
}

// By method. Places repeat.
std::vector<Datum> InputsOf(const graph::Method& method, double first) {
  std::vector<Datum> inputs;
  for (const graph::Input& input : method.inputs) {
    const TensorType& type = *TensorTypeOf(method, input.value);
    Sizes sizes;
    for (const SizeExpr& size : type.sizes) sizes.push_back(*size.Constant());
    if (type.dtype == ScalarType::kFloat32) {
      inputs.emplace_back(Numbers(sizes, first));
    } else if (type.dtype == ScalarType::kBool) {
      inputs.emplace_back(Places(sizes, {1, 0, 0, 1, 1}, type.dtype));
    } else {
      inputs.emplace_back(Places(sizes, {2, 0, 2}, type.dtype));
    }
  }
  return inputs;
}

class UpdatesTest : public testing::Test {
 protected:
  graph::Module module_ = graph::Parse(kUpdates).value();
  planner::Planned planned_ = planner::Plan(module_).value();
};

TEST_F(UpdatesTest, TakeNoBytesBesidesTheBuffersAndInputs) {
  EXPECT_THAT(planned_.warnings, testing::IsEmpty());
  for (const Method& method : planned_.program.methods) {
    if (method.name == "read") continue;
    EXPECT_EQ(method.instructions.size(), method.name == "twice" ? 2U : 1U) << method.name;
    for (const Instruction& instruction : method.instructions) {
      // The first value of each method is the buffer.
      EXPECT_EQ(method.Ints(instruction.args).back(), 0) << method.name;
    }
  }
}

TEST_F(UpdatesTest, GiveInExecutorchWhatTheReferenceGives) {
  generators::RandomCase c;
  c.module = module_;
  const auto read = module_.methods.size() - 1;
  for (size_t m = 0; m < read; ++m) {
    c.calls.push_back({m, InputsOf(module_.methods[m], static_cast<double>(m) + 1)});
    c.calls.push_back({read, {}});
  }
  const auto file = WriteProgram(planned_.program);
  const witness::ComparableCase job =
      witness::JobOf(c, planned_.program, file.value(), Policy::kShare12);
  const auto answers = witness::Ask({&job.job, 1});
  const witness::Compared compared = witness::Compare(job, answers.front());
  EXPECT_EQ(compared.error, "");
  EXPECT_EQ(compared.difference, "");
  EXPECT_TRUE(compared.whole);
  EXPECT_EQ(compared.calls, 2 * read);
}

}  // namespace
}  // namespace pteproof
