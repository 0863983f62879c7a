// Rows that are mixed in blocks, against one call for each element: an operand that a plan has put
// under the result shows in the same way.
#include "runtime/kernels/hash/hash_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "reference/op_schema.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/hash/mixing.h"

namespace pteproof {
namespace {

using OwnBytes = std::vector<std::byte>;

// A tensor of one dimension somewhere in a buffer.
struct Spot {
  ScalarType dtype = ScalarType::kFloat32;
  size_t offset = 0;
};

OwnBytes DrawnBytes(size_t count) {
  std::mt19937 random(4);
  OwnBytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFF);
  return bytes;
}

// Calls the operator with elements [first, first + count) of its operands and its result, which is
// the last of the spots.
void CallWith(std::string_view name, const std::vector<Spot>& spots, int32_t first, int32_t count,
              OwnBytes& bytes) {
  std::array<int32_t, 1> sizes = {count};
  std::array<int64_t, 1> strides = {1};
  std::array<int32_t, 1> order = {0};
  std::deque<TensorRef> tensors;
  std::deque<RunValue> values;
  std::vector<RunValue*> args;
  for (const Spot& spot : spots) {
    TensorRef& tensor = tensors.emplace_back();
    tensor.dtype = spot.dtype;
    const size_t at = spot.offset + static_cast<size_t>(first) * ElementSize(spot.dtype);
    tensor.nbytes = static_cast<uint64_t>(count) * ElementSize(spot.dtype);
    SetHome(tensor, MemoryExtent(std::span(bytes).subspan(at), nullptr));
    tensor.sizes = sizes;
    tensor.strides = strides;
    tensor.dim_order = order;
    tensor.bounds = sizes;
    RunValue& value = values.emplace_back();
    value.kind = ValueKind::kTensor;
    value.tensor = &tensor;
    args.push_back(&value);
  }
  std::vector<TensorRef*> targets = {&tensors.back()};
  const OpSchema* schema = FindOperator(name);
  ASSERT_NE(schema, nullptr) << name;
  EXPECT_EQ(HashCall({.schema = *schema, .args = args}, targets), nullptr);
}

void ExpectTheSameOneByOne(std::string_view name, const std::vector<Spot>& spots) {
  constexpr int32_t kElements = 600;
  OwnBytes together = DrawnBytes(40'000);
  OwnBytes one_by_one = together;
  CallWith(name, spots, 0, kElements, together);
  for (int32_t i = 0; i < kElements; ++i) CallWith(name, spots, i, 1, one_by_one);
  EXPECT_EQ(together, one_by_one) << name << " into " << spots.back().offset;
}

constexpr Spot kLeft = {ScalarType::kFloat32, 8000};
constexpr Spot kRight = {ScalarType::kFloat32, 16'000};

TEST(HashCallInBlocks, MixesAsOneElementAfterTheOther) {
  for (const ScalarType dtype : {ScalarType::kBool, ScalarType::kInt8, ScalarType::kInt16,
                                 ScalarType::kInt64, ScalarType::kFloat64}) {
    const Spot left = {dtype, 8000};
    const Spot right = {dtype, 16'000};
    ExpectTheSameOneByOne("aten::eq.Tensor_out", {left, right, {ScalarType::kBool, 24'000}});
    ExpectTheSameOneByOne("aten::eq.Tensor_out", {left, right, {dtype, 24'000}});
  }
  ExpectTheSameOneByOne("aten::where.self_out",
                        {{ScalarType::kBool, 4000}, kLeft, kRight, {ScalarType::kFloat32, 24'000}});
}

// The result over an operand exactly, some elements before it and some behind it.
TEST(HashCallInBlocks, ShowsAnOperandUnderTheResult) {
  for (const size_t offset : {8000U, 8004U, 7996U, 8002U, 8400U, 7600U, 10'396U, 5604U, 16'004U}) {
    ExpectTheSameOneByOne("aten::eq.Tensor_out", {kLeft, kRight, {ScalarType::kFloat32, offset}});
    ExpectTheSameOneByOne("aten::eq.Tensor_out", {kLeft, kRight, {ScalarType::kBool, offset}});
    ExpectTheSameOneByOne("aten::eq.Tensor_out", {kLeft, kRight, {ScalarType::kInt64, offset}});
  }
}

// Elements in a row and the same elements with others in between.
TEST(DigestOfTensor, DoesNotDependOnHowElementsLie) {
  for (const int32_t count : {0, 1, 3, 7, 8, 9, 16, 31, 64, 100}) {
    for (const ScalarType dtype :
         {ScalarType::kInt8, ScalarType::kInt16, ScalarType::kFloat32, ScalarType::kInt64}) {
      const size_t size = ElementSize(dtype);
      OwnBytes apart = DrawnBytes(3 * size * static_cast<size_t>(count) + 1);
      OwnBytes together;
      for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
        together.insert(together.end(), apart.data() + 3 * i * size,
                        apart.data() + (3 * i + 1) * size);
      }
      together.resize(together.size() + 1);
      std::array<int32_t, 1> sizes = {count};
      std::array<int32_t, 1> order = {0};
      std::array<int64_t, 1> one = {1};
      std::array<int64_t, 1> three = {3};
      TensorRef tensor;
      tensor.dtype = dtype;
      tensor.nbytes = apart.size();
      tensor.sizes = sizes;
      tensor.strides = one;
      tensor.dim_order = order;
      tensor.bounds = sizes;
      SetHome(tensor, MemoryExtent(std::span(together), nullptr));
      const uint64_t digest = mixing::DigestOfTensor(tensor);
      SetHome(tensor, MemoryExtent(std::span(apart), nullptr));
      tensor.strides = three;
      EXPECT_EQ(mixing::DigestOfTensor(tensor), digest) << count << " of " << size << " bytes";
    }
  }
}

}  // namespace
}  // namespace pteproof
