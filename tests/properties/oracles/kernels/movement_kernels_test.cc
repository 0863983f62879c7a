// Kernels that copy, select and scatter elements, beside what the reference says they mean.
#include "tests/properties/oracles/kernels/drawn.h"

namespace pteproof {
namespace {

std::vector<ScalarType> WithComplexes() {
  std::vector<ScalarType> all = kElements;
  all.insert(all.end(), kComplexes.begin(), kComplexes.end());
  return all;
}

std::vector<Operands> StridedCalls(Draw& draw, ScalarType dtype) {
  const TensorValue self = draw.Numbers(dtype, {3, 4});
  return {{self, std::vector{2, 2}, std::vector{1, 2}, 0},
          {self, std::vector{2, 3}, std::vector{4, 1}, kNone},
          {self, std::vector{5, 2}, std::vector{0, 3}, 8},
          {self, std::vector<int>{}, std::vector<int>{}, 11},
          {self, std::vector{1}, std::vector{1000}, 3},
          {self, std::vector{0, 4}, std::vector{9, 9}, 0},
          // Refused: beyond self, before it, backwards.
          {self, std::vector{2}, std::vector{1}, 11},
          {self, std::vector{2}, std::vector{1}, -1},
          {self, std::vector{2}, std::vector{-1}, 4},
          {self, std::vector{2}, std::vector{1, 1}, 0}};
}

std::vector<Operands> OneTensorCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Numbers(dtype, {2, 3, 4})},
          {draw.Numbers(dtype, {})},
          {draw.Numbers(dtype, {1})},
          {draw.Numbers(dtype, {0, 3})},
          {draw.Special(dtype, {300})}};
}

std::vector<Operands> CropCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Numbers(dtype, {2, 4, 6}), 2}, {draw.Numbers(dtype, {3, 3, 3}), 3},
          {draw.Numbers(dtype, {1, 5, 2}), 1}, {draw.Numbers(dtype, {0, 4, 4}), 2},
          {draw.Numbers(dtype, {2, 5, 6}), 2},  // no multiple
          {draw.Numbers(dtype, {2, 4, 6}), 0},  // no tile
          {draw.Numbers(dtype, {4, 6}), 2}};    // no image
}

std::vector<Operands> GluCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Numbers(dtype, {4, 6}), -1},  {draw.Numbers(dtype, {4, 3, 2}), 0},
          {draw.Numbers(dtype, {2, 600}), 1}, {draw.Special(dtype, {40}), 0},
          {draw.Numbers(dtype, {0, 4}), 1},   {draw.Numbers(dtype, {3}), 0},  // odd
          {draw.Numbers(dtype, {4}), 1}};                                     // no dimension
}

std::vector<Operands> SizeCalls(Draw& /*draw*/, ScalarType /*dtype*/) {
  return {{std::vector{2, 3}}, {std::vector<int>{}}, {std::vector{0, 4}}};
}

std::vector<Operands> DropoutCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Numbers(dtype, {2, 5}), 0.5, true},
          {draw.Numbers(dtype, {2, 5}), 0.5, false},
          {draw.Numbers(dtype, {2, 5}), 0.0, kNone},
          {draw.Numbers(dtype, {0}), 1.0, true},
          {draw.Numbers(dtype, {2}), 1.5, true}};
}

// --- At places that indices name.

std::vector<Operands> ScatterCalls(Draw& draw, ScalarType dtype) {
  const auto index = [&](Sizes sizes, int64_t size) {
    return draw.Ints(ScalarType::kInt64, std::move(sizes), 0, size - 1);
  };
  return {{draw.Numbers(dtype, {3, 4}), 0, index({2, 4}, 3), draw.Numbers(dtype, {2, 4})},
          {draw.Numbers(dtype, {3, 4}), -1, index({2, 3}, 4), draw.Numbers(dtype, {3, 4})},
          {draw.Numbers(dtype, {5}), 0, draw.Ints(ScalarType::kInt32, {9}, 0, 4),
           draw.Numbers(dtype, {9})},
          {draw.Numbers(dtype, {}), 0, index({}, 1), draw.Numbers(dtype, {})},
          {draw.Numbers(dtype, {3}), 0, index({0}, 3), draw.Numbers(dtype, {0})},
          {draw.Numbers(dtype, {3}), 0, index({2}, 1), draw.Numbers(dtype, {1})},
          {draw.Numbers(dtype, {3}), 0, Tensor<int64_t>({2}, {0, 3}), draw.Numbers(dtype, {2})},
          {draw.Numbers(dtype, {3}), 0, Tensor<int64_t>({2}, {0, -1}), draw.Numbers(dtype, {2})},
          {draw.Numbers(dtype, {3}), 2, index({2}, 3), draw.Numbers(dtype, {2})}};
}

std::vector<Operands> ScatterNumberCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (Operands& call : ScatterCalls(draw, dtype)) {
    call.back() = Operand(3);
    calls.push_back(call);
    if (IsFloat(dtype)) call.back() = Operand(-2.5);
    calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<Operands> SliceCalls(Draw& draw, ScalarType dtype) {
  return {
      {draw.Numbers(dtype, {3, 4}), 1, Tensor<int64_t>({3}, {3, 0, 0}),
       draw.Numbers(dtype, {3, 3})},
      {draw.Numbers(dtype, {3, 4}), -2, Tensor<int32_t>({2}, {2, 0}), draw.Numbers(dtype, {2, 4})},
      {draw.Numbers(dtype, {3, 2}), 0, Tensor<int64_t>({}, {1}), draw.Numbers(dtype, {1, 2})},
      {draw.Numbers(dtype, {}), 0, Tensor<int64_t>({1}, {0}), draw.Numbers(dtype, {})},
      {draw.Numbers(dtype, {3, 2}), 0, Tensor<int64_t>({0}, {}), draw.Numbers(dtype, {0, 2})},
      {draw.Numbers(dtype, {3, 2}), 0, Tensor<int64_t>({1}, {3}), draw.Numbers(dtype, {1, 2})},
      {draw.Numbers(dtype, {3, 2}), 0, Tensor<int64_t>({2}, {0, -1}), draw.Numbers(dtype, {2, 2})},
      {draw.Numbers(dtype, {3, 2}), 0, Tensor<int64_t>({2}, {0, 1}), draw.Numbers(dtype, {1, 2})}};
}

std::vector<Operands> SliceSumCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (Operands& call : SliceCalls(draw, dtype)) {
    call.emplace_back(2);
    calls.push_back(call);
    call.back() = Operand(-1);
    calls.push_back(std::move(call));
  }
  return calls;
}

std::vector<Operands> SliceNumberCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (Operands& call : SliceCalls(draw, dtype)) {
    call.back() = Operand(3);
    calls.push_back(std::move(call));
  }
  calls.push_back({draw.Numbers(dtype, {3, 0}), 0, Tensor<int64_t>({1}, {7}), 3});
  calls.push_back({draw.Numbers(dtype, {0}), 0, Tensor<int64_t>({1}, {0}), 3});
  calls.push_back({draw.Numbers(dtype, {3}), 0, Tensor<int64_t>({1}, {-4}), 3});
  return calls;
}

std::vector<Operands> SliceElementCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (Operands& call : SliceNumberCalls(draw, dtype)) {
    call.back() = Operand(draw.Numbers(dtype, {}));
    calls.push_back(std::move(call));
  }
  calls.push_back({draw.Numbers(dtype, {3}), 0, Tensor<int64_t>({1}, {1}),
                   draw.Numbers(ScalarType::kFloat32, {})});
  calls.push_back(
      {draw.Numbers(dtype, {3}), 0, Tensor<int64_t>({1}, {1}), draw.Numbers(dtype, {1})});
  return calls;
}

std::vector<Operands> PutCalls(Draw& draw, ScalarType dtype) {
  const auto index = [&](Sizes sizes) { return draw.Ints(ScalarType::kInt64, sizes, -3, 2); };
  std::vector<Operands> calls;
  for (const bool accumulates : {false, true}) {
    calls.push_back({draw.Numbers(dtype, {3, 4}), std::vector<TensorValue>{index({5})},
                     draw.Numbers(dtype, {5, 4}), accumulates});
    calls.push_back({draw.Numbers(dtype, {3, 3}),
                     std::vector<TensorValue>{index({2, 2}), index({2, 1})},
                     draw.Numbers(dtype, {2}), accumulates});
    calls.push_back({draw.Numbers(dtype, {3}),
                     std::vector<TensorValue>{Tensor<int64_t>({2}, {0, 3})},
                     draw.Numbers(dtype, {2}), accumulates});
  }
  return calls;
}

std::vector<Operands> SliceScatterCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Numbers(dtype, {3, 4}), draw.Numbers(dtype, {3, 2}), 1, 1, 3, 1},
          {draw.Numbers(dtype, {5}), draw.Numbers(dtype, {3}), 0, 0, 5, 2},
          {draw.Numbers(dtype, {5}), draw.Numbers(dtype, {3}), 0, 0, 2, 1}};
}

std::vector<Operands> SelectScatterCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Numbers(dtype, {3, 4}), draw.Numbers(dtype, {3}), 1, -1},
          {draw.Numbers(dtype, {3}), draw.Numbers(dtype, {}), 0, 2},
          {draw.Numbers(dtype, {3}), draw.Numbers(dtype, {}), 0, 3}};
}

// --- As the data say.

std::vector<Operands> MaskedSelectCalls(Draw& draw, ScalarType dtype) {
  const auto mask = [&](Sizes sizes) {
    return draw.Ints(ScalarType::kBool, std::move(sizes), 0, 1);
  };
  return {{draw.Numbers(dtype, {3, 4}), mask({3, 4})},
          {draw.Numbers(dtype, {3, 1}), mask({4})},
          {draw.Numbers(dtype, {4}), mask({2, 3, 1})},
          {draw.Numbers(dtype, {}), mask({})},
          {draw.Numbers(dtype, {2, 0}), mask({2, 1})},
          {draw.Numbers(dtype, {400}), mask({400})},
          {draw.Numbers(dtype, {3}), mask({2})},
          {draw.Numbers(dtype, {3}), draw.Ints(ScalarType::kUInt8, {3}, 0, 1)}};
}

std::vector<Operands> MaskedScatterCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (Operands& call : MaskedSelectCalls(draw, dtype)) {
    call.emplace_back(draw.Numbers(dtype, {20, 20}));
    calls.push_back(std::move(call));
  }
  calls.push_back(
      {draw.Numbers(dtype, {3}), Tensor<bool>({3}, {true, false, true}), draw.Numbers(dtype, {1})});
  return calls;
}

std::vector<Operands> RepeatCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Ints(dtype, {1}, 7, 7), 7}, {Ints(dtype, {4}, {2, 0, 3, 1}), 6},
          {Ints(dtype, {0}, {}), 0},        {Ints(dtype, {2}, {0, 0}), 0},
          {Ints(dtype, {2}, {2, 3}), 4},    {Ints(dtype, {2, 1}, {2, 3}), 5}};
}

const KernelCase kMovementCases[] = {
    {"aten::as_strided_copy.out", kElements, StridedCalls, false},
    {"aten::view_as_real_copy.out", kComplexes, OneTensorCalls},
    {"aten::_conj_physical.out", WithComplexes(), OneTensorCalls},
    {"llama::fallback.out", kElements, OneTensorCalls},
    {"preprocess::tile_crop.out", kElements, CropCalls},
    {"aten::glu.out", kFloats, GluCalls},
    {"aten::rand.out", {ScalarType::kFloat32}, SizeCalls},
    {"aten::randn.out", {ScalarType::kFloat32}, SizeCalls},
    {"aten::native_dropout.out", kFloats, DropoutCalls},
    {"aten::scatter_.src", kElements, ScatterCalls},
    {"aten::scatter_.value", kElements, ScatterNumberCalls},
    {"aten::scatter_add_", kNumbers, ScatterCalls},
    {"aten::index_copy_", kElements, SliceCalls},
    {"aten::index_add_", kNumbers, SliceSumCalls},
    {"aten::index_fill_.int_Scalar", kElements, SliceNumberCalls},
    {"aten::index_fill_.int_Tensor", kElements, SliceElementCalls},
    {"aten::masked_select.out", kElements, MaskedSelectCalls},
    {"aten::masked_scatter.out", kElements, MaskedScatterCalls},
    {"aten::nonzero.out", WithComplexes(), OneTensorCalls},
    {"aten::repeat_interleave.Tensor_out", {ScalarType::kInt64, ScalarType::kInt32}, RepeatCalls},
};

class MovementKernels : public testing::TestWithParam<KernelCase> {};

TEST_P(MovementKernels, DoWhatTheReferenceSays) {
  EXPECT_GE(CountAccepted(GetParam()), 3);
  ExpectAgreement(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kernels, MovementKernels, testing::ValuesIn(kMovementCases),
                         KernelCaseName);

// Operators that write a part of their first operand and leave the rest.
const KernelCase kUpdates[] = {
    {"aten::index_put.out", kNumbers, PutCalls},
    {"aten::index_add.out", kNumbers, SliceSumCalls},
    {"aten::index_copy.out", kElements, SliceCalls},
    {"aten::index_fill.int_Scalar_out", kElements, SliceNumberCalls},
    {"aten::index_fill.int_Tensor_out", kElements, SliceElementCalls},
    {"aten::scatter.src_out", kElements, ScatterCalls},
    {"aten::scatter.value_out", kElements, ScatterNumberCalls},
    {"aten::scatter_add.out", kNumbers, ScatterCalls},
    {"aten::slice_scatter.out", kElements, SliceScatterCalls},
    {"aten::select_scatter.out", kElements, SelectScatterCalls},
};

class UpdateKernels : public testing::TestWithParam<KernelCase> {};

TEST_P(UpdateKernels, DoTheSameInTheBytesOfTheirOperand) {
  EXPECT_GE(CountAccepted(GetParam()), 3);
  ExpectAgreement(GetParam());
  Draw draw;
  for (const ScalarType dtype : GetParam().types) {
    for (const Operands& call : GetParam().calls(draw, dtype)) {
      for (const bool turned : {false, true}) {
        EXPECT_EQ(KernelDifference(GetParam().op, ArgsOf<Argument>(call),
                                   {.turned = turned, .under = true}),
                  "")
            << Name(dtype);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, UpdateKernels, testing::ValuesIn(kUpdates), KernelCaseName);

}  // namespace
}  // namespace pteproof
