// Kernels that have ways of their own for float32, beside the plainest loops in double.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "runtime/kernels/base/region.h"
#include "tests/runtime/kernel_arguments.h"

namespace pteproof {
namespace {

std::vector<float> DrawnFloats(int64_t count) {
  static std::mt19937 random(2);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = distribution(random);
  return numbers;
}

// --- Products.

struct ProductSizes {
  int32_t rows;
  int32_t inner;
  int32_t columns;
};

constexpr ProductSizes kProductSizes[] = {{1, 1, 1},  {1, 300, 20}, {2, 5, 300},  {4, 64, 33},
                                          {5, 7, 16}, {6, 70, 31},  {13, 3, 100}, {64, 129, 65},
                                          {1, 0, 3},  {0, 4, 3},    {7, 0, 20},   {100, 1, 1}};

std::vector<double> PlainProduct(const ProductSizes& sizes, const std::vector<float>& a,
                                 const std::vector<float>& b, bool turned) {
  std::vector<double> sums;
  for (int32_t r = 0; r < sizes.rows; ++r) {
    for (int32_t c = 0; c < sizes.columns; ++c) {
      double sum = 0;
      for (int32_t k = 0; k < sizes.inner; ++k) {
        const int32_t at = turned ? c * sizes.inner + k : k * sizes.columns + c;
        sum += double{a[static_cast<size_t>(r * sizes.inner + k)]} * b[static_cast<size_t>(at)];
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

void ExpectNear(const std::vector<float>& got, const std::vector<double>& wanted,
                const std::string& what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-4) << what << " " << i;
}

TEST(ProductKernels, MultiplyMatricesOfAnySize) {
  for (const ProductSizes& sizes : kProductSizes) {
    const auto a = DrawnFloats(sizes.rows * sizes.inner);
    const auto b = DrawnFloats(sizes.inner * sizes.columns);
    const std::vector<float> zeros(static_cast<size_t>(sizes.rows * sizes.columns));
    Arguments args;
    args.Add<float>({sizes.rows, sizes.inner}, a);
    args.Add<float>({sizes.inner, sizes.columns}, b);
    const TensorRef& out = args.Add<float>({sizes.rows, sizes.columns}, zeros);
    ASSERT_EQ(args.Run("aten::mm.out"), "");
    ExpectNear(Elements<float>(out), PlainProduct(sizes, a, b, false), "mm");
  }
}

TEST(ProductKernels, AddABiasToEachRow) {
  for (const ProductSizes& sizes : kProductSizes) {
    const auto a = DrawnFloats(sizes.rows * sizes.inner);
    const auto b = DrawnFloats(sizes.inner * sizes.columns);
    const auto bias = DrawnFloats(sizes.columns);
    const std::vector<float> zeros(static_cast<size_t>(sizes.rows * sizes.columns));
    Arguments args;
    args.Add<float>({1, sizes.rows, sizes.inner}, a);
    args.Add<float>({sizes.columns, sizes.inner}, b);
    args.Add<float>({sizes.columns}, bias);
    const TensorRef& out = args.Add<float>({1, sizes.rows, sizes.columns}, zeros);
    ASSERT_EQ(args.Run("aten::linear.out"), "");
    auto wanted = PlainProduct(sizes, a, b, true);
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] += bias[i % bias.size()];
    ExpectNear(Elements<float>(out), wanted, "linear");
  }
}

TEST(ProductKernels, MultiplyEachOfABatch) {
  constexpr ProductSizes kSizes = {7, 20, 18};
  const auto a = DrawnFloats(3 * 7 * 20);
  const auto b = DrawnFloats(3 * 20 * 18);
  Arguments args;
  args.Add<float>({3, 7, 20}, a);
  args.Add<float>({3, 20, 18}, b);
  const TensorRef& out = args.Add<float>({3, 7, 18}, std::vector<float>(3 * 7 * 18));
  ASSERT_EQ(args.Run("aten::bmm.out"), "");
  std::vector<double> wanted;
  for (int n = 0; n < 3; ++n) {
    const std::vector<float> left(a.begin() + n * 140, a.begin() + (n + 1) * 140);
    const std::vector<float> right(b.begin() + n * 360, b.begin() + (n + 1) * 360);
    const auto sums = PlainProduct(kSizes, left, right, false);
    wanted.insert(wanted.end(), sums.begin(), sums.end());
  }
  ExpectNear(Elements<float>(out), wanted, "bmm");
}

// --- Convolutions.

struct ConvolutionCase {
  int32_t batch, inputs, height, width;
  int32_t outputs, kernel_height, kernel_width;
  int32_t stride, padding, dilation, groups;

  [[nodiscard]] int32_t Out(int32_t size, int32_t kernel) const {
    return (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
  }
};

constexpr ConvolutionCase kConvolutions[] = {
    {1, 3, 9, 11, 5, 3, 3, 1, 1, 1, 1},   {2, 4, 8, 8, 6, 3, 3, 2, 1, 1, 1},
    {1, 4, 10, 7, 8, 1, 1, 1, 0, 1, 1},   {1, 4, 9, 9, 8, 1, 1, 2, 0, 1, 1},
    {2, 6, 12, 13, 6, 3, 3, 1, 1, 1, 6},  {1, 6, 12, 13, 6, 3, 3, 2, 1, 1, 6},
    {1, 6, 12, 13, 6, 5, 5, 3, 2, 1, 6},  {1, 4, 13, 12, 8, 3, 2, 1, 2, 2, 2},
    {1, 4, 13, 12, 8, 2, 3, 2, 0, 3, 1},  {1, 4, 6, 300, 4, 1, 5, 1, 3, 1, 4},
    {1, 8, 5, 5, 4, 5, 5, 1, 0, 1, 2},    {1, 2, 4, 4, 4, 3, 3, 1, 1, 1, 2},
    {1, 2, 16, 16, 2, 7, 7, 5, 3, 2, 2},  {1, 2, 3, 3, 13, 3, 3, 1, 4, 1, 1},
    {1, 1, 40, 40, 33, 3, 3, 1, 1, 1, 1}, {1, 3, 2, 64, 7, 1, 40, 1, 0, 1, 1},
    {1, 3, 2, 64, 3, 1, 40, 2, 0, 1, 3}};

std::vector<double> PlainConvolution(const ConvolutionCase& c, const std::vector<float>& input,
                                     const std::vector<float>& weight,
                                     const std::vector<float>& bias) {
  const int32_t taken = c.inputs / c.groups;
  const int32_t given = c.outputs / c.groups;
  std::vector<double> sums;
  for (int32_t n = 0; n < c.batch; ++n) {
    for (int32_t o = 0; o < c.outputs; ++o) {
      for (int32_t y = 0; y < c.Out(c.height, c.kernel_height); ++y) {
        for (int32_t x = 0; x < c.Out(c.width, c.kernel_width); ++x) {
          double sum = bias[static_cast<size_t>(o)];
          for (int32_t i = 0; i < taken; ++i) {
            for (int32_t r = 0; r < c.kernel_height; ++r) {
              for (int32_t k = 0; k < c.kernel_width; ++k) {
                const int32_t at_y = y * c.stride - c.padding + r * c.dilation;
                const int32_t at_x = x * c.stride - c.padding + k * c.dilation;
                if (at_y < 0 || at_y >= c.height || at_x < 0 || at_x >= c.width) continue;
                const int32_t channel = o / given * taken + i;
                const int32_t from = ((n * c.inputs + channel) * c.height + at_y) * c.width + at_x;
                const int32_t by = ((o * taken + i) * c.kernel_height + r) * c.kernel_width + k;
                sum += double{input[static_cast<size_t>(from)]} * weight[static_cast<size_t>(by)];
              }
            }
          }
          sums.push_back(sum);
        }
      }
    }
  }
  return sums;
}

int64_t CountIn(const std::vector<int32_t>& sizes) {
  int64_t count = 1;
  for (const int32_t size : sizes) count *= size;
  return count;
}

// Puts the same elements in the order channels last.
void TurnChannelsLast(TensorRef& tensor, const std::vector<float>& elements) {
  static const std::vector<int32_t> kOrder = {0, 2, 3, 1};
  tensor.dim_order = kOrder;
  SetStrides(tensor);
  Region rows = WholeOf(tensor);
  const MemoryExtent memory(std::as_bytes(std::span(elements)), nullptr);
  rows.data = CheckedPointer(memory);
  int64_t stride = 4;
  for (size_t d = 4; d-- > 0;) {
    rows.strides[d] = stride;
    stride *= rows.sizes[d];
  }
  CopyRegion(rows, WholeOf(tensor));
}

std::vector<float> RowMajorElements(const TensorRef& tensor) {
  std::vector<float> elements(static_cast<size_t>(ElementCount(tensor)));
  Region rows = WholeOf(tensor);
  const MemoryExtent memory(std::as_writable_bytes(std::span(elements)), nullptr);
  rows.data = CheckedPointer(memory);
  int64_t stride = 4;
  for (size_t d = 4; d-- > 0;) {
    rows.strides[d] = stride;
    stride *= rows.sizes[d];
  }
  CopyRegion(WholeOf(tensor), rows);
  return elements;
}

void ExpectPlainConvolution(const ConvolutionCase& c, bool channels_last) {
  const std::vector<int32_t> in = {c.batch, c.inputs, c.height, c.width};
  const std::vector<int32_t> by = {c.outputs, c.inputs / c.groups, c.kernel_height, c.kernel_width};
  const std::vector<int32_t> to = {c.batch, c.outputs, c.Out(c.height, c.kernel_height),
                                   c.Out(c.width, c.kernel_width)};
  const auto input = DrawnFloats(CountIn(in));
  const auto weight = DrawnFloats(CountIn(by));
  const auto bias = DrawnFloats(c.outputs);
  Arguments args;
  TensorRef& from = args.Add<float>(in, input);
  TensorRef& factors = args.Add<float>(by, weight);
  args.Add<float>({c.outputs}, bias);
  for (const int64_t attribute : {c.stride, c.padding, c.dilation}) {
    args.AddList({attribute, attribute});
  }
  args.Add(false);
  args.AddList({0, 0});
  args.Add(int64_t{c.groups});
  TensorRef& out = args.Add<float>(to, std::vector<float>(static_cast<size_t>(CountIn(to))));
  if (channels_last) {
    TurnChannelsLast(from, input);
    TurnChannelsLast(factors, weight);
    TurnChannelsLast(out, Elements<float>(out));
  }
  ASSERT_EQ(args.Run("aten::convolution.out"), "");
  ExpectNear(RowMajorElements(out), PlainConvolution(c, input, weight, bias),
             channels_last ? "channels last" : "rows");
}

TEST(ConvolutionKernel, GivesThePlainSums) {
  for (const ConvolutionCase& c : kConvolutions) ExpectPlainConvolution(c, false);
}

TEST(ConvolutionKernel, TakesChannelsLast) {
  for (const ConvolutionCase& c : kConvolutions) ExpectPlainConvolution(c, true);
}

// What is padded a million times over is too large to be laid out.
TEST(ConvolutionKernel, TakesPaddingWithoutBounds) {
  Arguments args;
  args.Add<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  args.Add<float>({2, 1, 1, 1}, {2, 3});
  args.AddNone();
  args.AddList({30'000'000, 30'000'000});
  args.AddList({30'000'000, 30'000'000});
  args.AddList({1, 1});
  args.Add(false);
  args.AddList({0, 0});
  args.Add(int64_t{1});
  const TensorRef& out = args.Add<float>({1, 2, 3, 3}, std::vector<float>(18));
  ASSERT_EQ(args.Run("aten::convolution.out"), "");
  std::vector<double> wanted(18);
  wanted[4] = 2;
  wanted[13] = 3;
  ExpectNear(Elements<float>(out), wanted, "padding");
}

// --- Copies that turn rows into columns.

TEST(LayoutKernels, TurnDimensionsOfAnySize) {
  const std::vector<std::vector<int64_t>> orders = {{2, 1, 0}, {0, 2, 1}, {1, 0, 2}, {2, 0, 1}};
  for (const auto& order : orders) {
    for (const std::vector<int32_t>& sizes :
         {std::vector<int32_t>{3, 33, 17}, {1, 16, 24}, {40, 5, 9}, {2, 3, 50}}) {
      const auto elements = DrawnFloats(CountIn(sizes));
      Arguments args;
      args.Add<float>(sizes, elements);
      args.AddList(order);
      std::vector<int32_t> turned;
      for (const int64_t d : order) turned.push_back(sizes[static_cast<size_t>(d)]);
      const TensorRef& out = args.Add<float>(turned, std::vector<float>(elements.size()));
      ASSERT_EQ(args.Run("aten::permute_copy.out"), "");
      const auto got = Elements<float>(out);
      for (int64_t i = 0; i < CountIn(turned); ++i) {
        int64_t rest = i;
        int64_t index[3];
        for (size_t d = 3; d-- > 0; rest /= turned[d]) {
          index[order[d]] = rest % turned[d];
        }
        const int64_t from = (index[0] * sizes[1] + index[1]) * sizes[2] + index[2];
        ASSERT_EQ(got[static_cast<size_t>(i)], elements[static_cast<size_t>(from)]);
      }
    }
  }
}

// --- Element by element.

std::vector<float> Combined(size_t offset, const std::vector<int32_t>& left,
                            const std::vector<int32_t>& right, const std::vector<int32_t>& to) {
  std::vector<float> a(static_cast<size_t>(CountIn(left)));
  std::vector<float> b(static_cast<size_t>(CountIn(right)));
  std::iota(a.begin(), a.end(), -7.0F);
  std::iota(b.begin(), b.end(), 2.0F);
  Arguments args(offset);
  args.Add<float>(left, a);
  args.Add<float>(right, b);
  args.Add(2.0);
  const TensorRef& out = args.Add<float>(to, std::vector<float>(static_cast<size_t>(CountIn(to))));
  EXPECT_EQ(args.Run("aten::sub.out"), "");
  return Elements<float>(out);
}

TEST(ElementwiseKernels, GiveTheSameWhereverTheirOperandsLie) {
  using Sizes32 = std::vector<int32_t>;
  EXPECT_EQ(Combined(0, {300}, {300}, {300}), Combined(1, {300}, {300}, {300}));
  EXPECT_EQ(Combined(0, {3, 70}, {1}, {3, 70}), Combined(1, {3, 70}, {1}, {3, 70}));
  EXPECT_EQ(Combined(0, {1, 1}, {3, 70}, {3, 70}), Combined(1, {1, 1}, {3, 70}, {3, 70}));
  EXPECT_EQ(Combined(0, {3, 1}, {3, 70}, {3, 70}), Combined(1, {3, 1}, {3, 70}, {3, 70}));
  EXPECT_EQ(Combined(0, {0}, {1}, {0}), std::vector<float>());
  EXPECT_EQ(Combined(0, {2}, Sizes32{}, {2}), (std::vector<float>{-7 - 4, -6 - 4}));
}

// --- Norms of large means.

TEST(NormKernels, KeepTheDigitsOfNumbersFarFromZero) {
  auto numbers = DrawnFloats(300);
  for (float& number : numbers) number += 4096;
  double mean = 0;
  double squares = 0;
  for (const float number : numbers) mean += number / 300.0;
  for (const float number : numbers) squares += (number - mean) * (number - mean) / 300;
  Arguments args;
  args.Add<float>({1, 300}, numbers);
  args.AddList({300});
  args.AddNone();
  args.AddNone();
  args.Add(1e-5);
  const TensorRef& out = args.Add<float>({1, 300}, std::vector<float>(300));
  args.Add<float>({1, 1}, {0});
  args.Add<float>({1, 1}, {0});
  ASSERT_EQ(args.Run("aten::native_layer_norm.out"), "");
  std::vector<double> wanted;
  for (const float number : numbers) wanted.push_back((number - mean) / std::sqrt(squares + 1e-5));
  ExpectNear(Elements<float>(out), wanted, "layer norm");
}

}  // namespace
}  // namespace pteproof
