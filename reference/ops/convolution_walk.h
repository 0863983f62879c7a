// The walk that convolutions, transposed ones and their gradients share: over all products of an
// element of a small image with one of a big image and one of the weight. Two of the three are
// given and the third takes the sums. The small image is what a convolution gives, or what a
// transposed one takes; the weight is [small channels, big channels / groups, height, width].
#ifndef PTEPROOF_REFERENCE_OPS_CONVOLUTION_WALK_H_
#define PTEPROOF_REFERENCE_OPS_CONVOLUTION_WALK_H_

#include <vector>

#include "base/work.h"
#include "reference/ops/elements.h"
#include "reference/ops/window.h"
#include "reference/tensor_value.h"

namespace pteproof {

struct Geometry {
  Window window;
  Pair output_padding = {0, 0};
  int64_t groups = 1;
  bool transposed = false;
};

struct Image {
  int64_t batch = 0;
  int64_t channels = 0;
  Pair size = {1, 1};  // height, width

  [[nodiscard]] int64_t Area() const { return size[0] * size[1]; }
};

[[nodiscard]] inline Image ImageOf(const TensorValue& t) {
  Image image = {t.sizes[0], t.sizes[1], {1, t.sizes.back()}};
  if (t.sizes.size() == 4) image.size[0] = t.sizes[2];
  return image;
}

// Of the windows along one dimension, those whose element at one place of the kernel is in the big
// image, and where that element is for the first of them.
struct Span {
  int64_t first = 0;
  int64_t count = 0;
  int64_t big = 0;
};

[[nodiscard]] std::vector<Span> SpansOf(const Image& small, const Image& big, const Window& window,
                                        size_t d);

// Steps of a walk over all of them.
[[nodiscard]] int64_t CountIn(const std::vector<Span>& spans);

// Calls run(weight, small, big, count) for runs of products: element `weight` of the weight,
// `count` neighbours of the small image from `small`, and as many of the big one from `big`, which
// lie stride[1] apart.
template <class Run>
void ForEachRun(Image small, Image big, const Geometry& geometry, Run run) {
  if (small.batch == 0 || small.channels == 0 || big.channels == 0) return;
  const Window& window = geometry.window;
  const Window point = {{1, 1}, {1, 1}, {0, 0}, window.dilation};
  const bool pointwise = window.kernel == point.kernel && window.stride == point.stride &&
                         window.padding == point.padding && small.size == big.size;
  // Without neighbours an image is one long row.
  if (pointwise) small.size = big.size = {1, small.Area()};
  const auto rows = SpansOf(small, big, window, 0);
  const auto columns = SpansOf(small, big, window, 1);
  const int64_t per_group = big.channels / geometry.groups;
  const int64_t smalls = small.channels / geometry.groups;
  Paced pace(CappedProduct({small.batch * small.channels, per_group,
                            CappedProduct({CountIn(rows), CountIn(columns)})}) /
             kProductsPerElement);
  for (int64_t plane = 0; plane < small.batch * small.channels; ++plane) {
    const int64_t channel = plane % small.channels;
    const int64_t bigs = plane / small.channels * big.channels + channel / smalls * per_group;
    int64_t weight = channel * per_group * window.kernel[0] * window.kernel[1];
    for (int64_t c = 0; c < per_group; ++c) {
      for (const Span& row : rows) {
        for (const Span& column : columns) {
          pace.Step(row.count * column.count + 1);
          if (row.count == 0 || column.count == 0) {
            ++weight;
            continue;
          }
          int64_t from = plane * small.Area() + row.first * small.size[1] + column.first;
          int64_t to = (bigs + c) * big.Area() + row.big * big.size[1] + column.big;
          for (int64_t y = 0; y < row.count; ++y) {
            run(weight, from, to, column.count);
            from += small.size[1];
            to += window.stride[0] * big.size[1];
          }
          ++weight;
        }
      }
    }
  }
}

// Sums over all products; the target is the one of the three that is not const. `weight` is read by
// index.
template <class T>
struct Sums {
  const Geometry& geometry;
  Image small;
  Image big;

  template <class Weight>
  void IntoSmall(const Weight& weight, T* small_data, const T* big_data) const {
    const int64_t step = geometry.window.stride[1];
    ForEachRun(small, big, geometry, [&](int64_t w, int64_t s, int64_t b, int64_t count) {
      const T factor = weight[w];
      for (int64_t j = 0; j < count; ++j) small_data[s + j] += factor * big_data[b + j * step];
    });
  }
  template <class Weight>
  void IntoBig(const Weight& weight, const T* small_data, T* big_data) const {
    const int64_t step = geometry.window.stride[1];
    ForEachRun(small, big, geometry, [&](int64_t w, int64_t s, int64_t b, int64_t count) {
      const T factor = weight[w];
      for (int64_t j = 0; j < count; ++j) big_data[b + j * step] += factor * small_data[s + j];
    });
  }
  void IntoWeight(T* weight, const T* small_data, const T* big_data) const {
    const int64_t step = geometry.window.stride[1];
    ForEachRun(small, big, geometry, [&](int64_t w, int64_t s, int64_t b, int64_t count) {
      T total = T(0);
      for (int64_t j = 0; j < count; ++j) total += small_data[s + j] * big_data[b + j * step];
      weight[w] += total;
    });
  }
};

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_CONVOLUTION_WALK_H_
