// Kernels on images and rows, beside what the reference says they mean.
#include "tests/properties/oracles/kernels/drawn.h"

namespace pteproof {
namespace {

std::vector<ScalarType> FloatsAndBytes() {
  std::vector<ScalarType> types = kFloats;
  types.push_back(ScalarType::kUInt8);
  return types;
}

TensorValue ImageOf(Draw& draw, ScalarType dtype, Sizes sizes) {
  const bool bytes = dtype == ScalarType::kUInt8;
  return draw.Numbers(dtype, std::move(sizes), bytes ? 0 : -5, bytes ? 255 : 5);
}

std::vector<Operands> BilinearCalls(Draw& draw, ScalarType dtype) {
  const TensorValue image = ImageOf(draw, dtype, {2, 3, 5, 7});
  std::vector<Operands> calls;
  for (const bool align : {false, true}) {
    for (const auto& size : {std::vector{9, 4}, std::vector{1, 1}, std::vector{5, 7},
                             std::vector{10, 21}, std::vector{2, 3}}) {
      calls.push_back({image, size, align, kNone});
    }
    calls.push_back({image, kNone, align, std::vector{2.0, 1.5}});
    calls.push_back({image, kNone, align, std::vector{0.4, 0.3}});
    calls.push_back({ImageOf(draw, dtype, {1, 1, 1, 1}), std::vector{3, 2}, align, kNone});
    calls.push_back({ImageOf(draw, dtype, {0, 2, 3, 3}), std::vector{3, 2}, align, kNone});
  }
  calls.push_back({draw.Special(dtype, {1, 1, 4, 4}), std::vector{8, 3}, false, kNone});
  calls.push_back({ImageOf(draw, dtype, {1, 1, 0, 3}), std::vector{3, 2}, false, kNone});
  calls.push_back({image, std::vector{3}, false, kNone});
  calls.push_back({image, kNone, false, kNone});
  calls.push_back({ImageOf(draw, dtype, {3, 5, 7}), std::vector{3, 3}, false, kNone});
  return calls;
}

std::vector<Operands> AntialiasCalls(Draw& draw, ScalarType dtype) {
  const TensorValue image = ImageOf(draw, dtype, {1, 2, 9, 8});
  std::vector<Operands> calls;
  for (const bool align : {false, true}) {
    for (const auto& size :
         {std::vector{3, 4}, std::vector{1, 1}, std::vector{9, 8}, std::vector{14, 5}}) {
      calls.push_back({image, size, align, kNone, kNone});
    }
    calls.push_back({image, std::vector{4, 4}, align, 0.45, 0.5});
  }
  calls.push_back({ImageOf(draw, dtype, {1, 1, 1, 1}), std::vector{3, 2}, false, kNone, kNone});
  calls.push_back({image, std::vector{4, 4}, false, 1e-9, 0.5});
  calls.push_back({image, std::vector{4}, false, kNone, kNone});
  return calls;
}

std::vector<Operands> GridCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (int i = 0; i < 18; ++i) {
    const TensorValue image = draw.Numbers(dtype, {2, 3, 4, 5});
    TensorValue grid = draw.Numbers(dtype, {2, 6, 3, 2}, -3, 3);
    if (i % 2 == 0) grid = draw.Special(dtype, {2, 6, 3, 2});
    calls.push_back({image, grid, i % 3, i / 3 % 3, i >= 9});
  }
  calls.push_back(
      {draw.Numbers(dtype, {1, 2, 1, 1}), draw.Numbers(dtype, {1, 1, 1, 2}), 0, 2, true});
  calls.push_back(
      {draw.Numbers(dtype, {1, 2, 3, 3}), draw.Numbers(dtype, {1, 0, 4, 2}), 0, 0, true});
  calls.push_back(
      {draw.Numbers(dtype, {1, 2, 0, 3}), draw.Numbers(dtype, {1, 1, 1, 2}), 0, 0, true});
  calls.push_back(
      {draw.Numbers(dtype, {1, 2, 3, 3}), draw.Numbers(dtype, {1, 1, 1, 2}), 3, 0, true});
  calls.push_back(
      {draw.Numbers(dtype, {1, 2, 3, 3}), draw.Numbers(dtype, {2, 1, 1, 2}), 0, 0, true});
  return calls;
}

std::vector<Operands> AdaptiveCalls(Draw& draw, ScalarType dtype) {
  return {{draw.Numbers(dtype, {2, 3, 7, 5}), std::vector{3, 2}},
          {draw.Numbers(dtype, {3, 4, 4}), std::vector{4, 4}},
          {draw.Numbers(dtype, {1, 1, 3, 2}), std::vector{5, 7}},
          {draw.Numbers(dtype, {2, 4, 6}), std::vector{1, 1}},
          {draw.Numbers(dtype, {0, 2, 4, 4}), std::vector{2, 2}},
          {draw.Numbers(dtype, {1, 4, 4}), std::vector{0, 2}},
          {draw.Numbers(dtype, {1, 0, 4}), std::vector{1, 2}},
          {draw.Numbers(dtype, {4, 4}), std::vector{2, 2}}};
}

// A pool of the image gives the places.
std::vector<Operands> MaxPoolBackwardCalls(Draw& draw, ScalarType dtype) {
  struct Pool {
    Sizes sizes;
    std::vector<int> kernel, stride, padding, dilation;
    bool ceil;
  };
  std::vector<Operands> calls;
  for (const Pool& p : {Pool{{2, 3, 6, 7}, {2, 3}, {2, 2}, {1, 1}, {1, 1}, false},
                        Pool{{2, 5, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, true},
                        Pool{{1, 1, 9, 8}, {2, 2}, {3, 2}, {0, 0}, {2, 3}, true},
                        Pool{{1, 1, 1, 1}, {1, 1}, {}, {0, 0}, {1, 1}, false},
                        Pool{{0, 2, 4, 4}, {2, 2}, {2, 2}, {0, 0}, {1, 1}, false}}) {
    const TensorValue image = draw.Numbers(dtype, p.sizes);
    const auto pooled = ResultsOf("aten::max_pool2d_with_indices.out",
                                  {image, p.kernel, p.stride, p.padding, p.dilation, p.ceil});
    calls.push_back({draw.Numbers(dtype, pooled.at(0).sizes), image, p.kernel, p.stride, p.padding,
                     p.dilation, p.ceil, pooled.at(1)});
  }
  const TensorValue image = draw.Numbers(dtype, {1, 2, 2});
  const std::vector<int> one = {1, 1};
  const std::vector<int> two = {2, 2};
  const std::vector<int> none = {0, 0};
  const TensorValue gradient = draw.Numbers(dtype, {1, 1, 1});
  for (const int64_t at : {4, -1, 3}) {
    calls.push_back(
        {gradient, image, two, two, none, one, false, Tensor<int64_t>({1, 1, 1}, {at})});
  }
  calls.push_back({draw.Numbers(dtype, {1, 2, 1}), image, two, two, none, one, false,
                   Tensor<int64_t>({1, 1, 1}, {0})});
  return calls;
}

std::vector<Operands> ConvolutionBackwardCalls(Draw& draw, ScalarType dtype) {
  struct Shape {
    Sizes input, weight;
    std::vector<int> stride, padding, dilation;
    bool transposed;
    std::vector<int> added;
    int groups;
  };
  std::vector<Operands> calls;
  for (const Shape& s :
       {Shape{{2, 4, 6, 5}, {6, 4, 3, 2}, {1, 1}, {1, 0}, {1, 1}, false, {0, 0}, 1},
        Shape{{1, 4, 7, 7}, {6, 2, 3, 3}, {2, 3}, {2, 1}, {2, 1}, false, {0, 0}, 2},
        Shape{{2, 3, 9}, {3, 1, 4}, {2}, {1}, {1}, false, {0}, 3},
        Shape{{2, 4, 5, 4}, {4, 3, 2, 3}, {2, 1}, {1, 1}, {1, 2}, true, {1, 0}, 1},
        Shape{{1, 4, 3}, {4, 2, 3}, {3}, {0}, {1}, true, {2}, 2},
        Shape{{1, 1, 1, 1}, {1, 1, 1, 1}, {1}, {0}, {1}, false, {0}, 1},
        Shape{{0, 2, 4, 4}, {3, 2, 2, 2}, {1}, {0}, {1}, false, {0}, 1}}) {
    const TensorValue input = draw.Numbers(dtype, s.input);
    const TensorValue weight = draw.Numbers(dtype, s.weight);
    const TensorValue result = ResultOf(
        "aten::convolution.out",
        {input, weight, kNone, s.stride, s.padding, s.dilation, s.transposed, s.added, s.groups});
    const TensorValue gradient = draw.Numbers(dtype, result.sizes);
    for (const auto& wanted : {std::vector<bool>{true, true, true},
                               {false, true, false},
                               {true, false, false},
                               {false, false, true}}) {
      calls.push_back({gradient, input, weight, kNone, s.stride, s.padding, s.dilation,
                       s.transposed, s.added, s.groups, wanted});
    }
  }
  const std::vector<int> one = {1};
  const std::vector<int> none = {0};
  // Refused: a gradient of other sizes, an output padding as large as the stride.
  calls.push_back({draw.Numbers(dtype, {1, 1, 4}), draw.Numbers(dtype, {1, 1, 2}),
                   draw.Numbers(dtype, {1, 1, 2}), kNone, one, none, one, true, one, 1,
                   std::vector<bool>{true, true, true}});
  calls.push_back({draw.Numbers(dtype, {1, 1, 2}), draw.Numbers(dtype, {1, 1, 5}),
                   draw.Numbers(dtype, {1, 1, 3}), kNone, one, none, one, false, none, 1,
                   std::vector<bool>{true, true, true}});
  return calls;
}

// --- Rows.

std::vector<Operands> CdistCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const double p : {0.0, 0.5, 1.0, 2.0, 3.0, kInf}) {
    calls.push_back({draw.Numbers(dtype, {3, 4}), draw.Numbers(dtype, {2, 4}), p, kNone});
    calls.push_back({draw.Numbers(dtype, {2, 1, 3, 300}), draw.Numbers(dtype, {5, 2, 300}), p, 1});
    calls.push_back({draw.Special(dtype, {3, 6}), draw.Special(dtype, {4, 6}), p, kNone});
  }
  calls.push_back({draw.Numbers(dtype, {3, 0}), draw.Numbers(dtype, {2, 0}), 2.0, kNone});
  calls.push_back({draw.Numbers(dtype, {0, 4}), draw.Numbers(dtype, {2, 4}), 2.0, kNone});
  calls.push_back({draw.Numbers(dtype, {3, 4}), draw.Numbers(dtype, {2, 5}), 2.0, kNone});
  calls.push_back({draw.Numbers(dtype, {3, 4}), draw.Numbers(dtype, {2, 4}), -1.0, kNone});
  return calls;
}

std::vector<Operands> PdistCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const double p : {0.0, 0.5, 1.0, 2.0, 3.0, kInf}) {
    calls.push_back({draw.Numbers(dtype, {5, 3}), p});
    calls.push_back({draw.Special(dtype, {5, 3}), p});
  }
  for (const Sizes& sizes : {Sizes{1, 3}, Sizes{0, 3}, Sizes{4, 0}, Sizes{4}}) {
    calls.push_back({draw.Numbers(dtype, sizes), 2.0});
  }
  calls.push_back({draw.Numbers(dtype, {5, 3}), kNan});
  return calls;
}

std::vector<Operands> RealToComplexCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const int size : {1, 2, 3, 4, 8, 12, 17, 30, 121}) {
    calls.push_back({draw.Numbers(dtype, {2, size}), std::vector{-1}, size % 3, true});
    calls.push_back({draw.Numbers(dtype, {size, 3}), std::vector{0}, size % 3, false});
  }
  calls.push_back({draw.Numbers(dtype, {2, 6, 5}), std::vector{1, 2}, 1, true});
  calls.push_back({draw.Numbers(dtype, {4, 6, 5}), std::vector{2, 0}, 2, false});
  calls.push_back({draw.Numbers(dtype, {0, 6}), std::vector{1}, 0, true});
  calls.push_back({draw.Numbers(dtype, {2, 0}), std::vector{1}, 0, true});
  calls.push_back({draw.Numbers(dtype, {2, 3}), std::vector{1, -1}, 0, true});
  calls.push_back({draw.Numbers(dtype, {2, 3}), std::vector{1}, 3, true});
  calls.push_back({draw.Numbers(dtype, {2, 3}), std::vector{2}, 0, true});
  return calls;
}

std::vector<Operands> ComplexToRealCalls(Draw& draw, ScalarType dtype) {
  std::vector<Operands> calls;
  for (const int size : {1, 2, 3, 4, 8, 12, 17, 30, 121}) {
    calls.push_back({draw.Numbers(dtype, {2, size / 2 + 1}), std::vector{-1}, size % 3, size});
    calls.push_back({draw.Numbers(dtype, {size / 2 + 1, 3}), std::vector{0}, size % 3, size});
  }
  calls.push_back({draw.Numbers(dtype, {2, 6, 5}), std::vector{1, 2}, 1, 8});
  calls.push_back({draw.Numbers(dtype, {4, 6, 5}), std::vector{2, 0}, 2, 7});
  calls.push_back({draw.Numbers(dtype, {0, 3}), std::vector{1}, 0, 4});
  calls.push_back({draw.Numbers(dtype, {2, 3}), std::vector{1}, 0, 6});
  calls.push_back({draw.Numbers(dtype, {2, 1}), std::vector{1}, 0, 0});
  return calls;
}

const KernelCase kImageCases[] = {
    {"aten::upsample_bilinear2d.vec_out", FloatsAndBytes(), BilinearCalls},
    {"aten::_upsample_bilinear2d_aa.out", FloatsAndBytes(), AntialiasCalls},
    {"aten::grid_sampler_2d.out", kFloats, GridCalls},
    {"aten::_adaptive_avg_pool2d.out", kNumbers, AdaptiveCalls},
    {"aten::max_pool2d_with_indices_backward.grad_input", kFloats, MaxPoolBackwardCalls},
    {"aten::convolution_backward.out", kNumbers, ConvolutionBackwardCalls},
    {"aten::_cdist_forward.out", kFloats, CdistCalls},
    {"aten::_pdist_forward.out", kFloats, PdistCalls},
    {"aten::_fft_r2c.out", {ScalarType::kFloat32, ScalarType::kFloat64}, RealToComplexCalls},
    {"aten::_fft_c2r.out", kComplexes, ComplexToRealCalls},
};

class ImageKernels : public testing::TestWithParam<KernelCase> {};

TEST_P(ImageKernels, DoWhatTheReferenceSays) {
  EXPECT_GE(CountAccepted(GetParam()), 3);
  ExpectAgreement(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Kernels, ImageKernels, testing::ValuesIn(kImageCases), KernelCaseName);

}  // namespace
}  // namespace pteproof
