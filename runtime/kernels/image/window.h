// Windows that slide over images, in convolutions and pools. A signal of one dimension counts as an
// image of height 1.
#ifndef PTEPROOF_RUNTIME_KERNELS_IMAGE_WINDOW_H_
#define PTEPROOF_RUNTIME_KERNELS_IMAGE_WINDOW_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "runtime/kernels/base/run_value.h"

namespace pteproof::kernels {

using Pair = std::array<int64_t, 2>;  // height, width

struct Window {
  Pair kernel = {1, 1};
  Pair stride = {1, 1};
  Pair padding = {0, 0};
  Pair dilation = {1, 1};

  // From the first to behind the last element of a window.
  [[nodiscard]] int64_t Reach(size_t d) const { return dilation[d] * (kernel[d] - 1) + 1; }
  // Where window o begins.
  [[nodiscard]] int64_t Start(size_t d, int64_t o) const { return o * stride[d] - padding[d]; }
};

// The numbers of a list for one or two dimensions: one stands for all, an empty list (or None) for
// `otherwise`. The first of one dimension is `before`. Nothing: the list has another length, or a
// number is below `least` or so large that products of two would not fit.
[[nodiscard]] inline std::optional<Pair> PairOf(const RunValue& list, size_t spatial, int64_t least,
                                                int64_t before, const Pair& otherwise) {
  constexpr int64_t kMost = int64_t{1} << 30;
  const auto items = list.items;
  if (items.empty()) return otherwise;
  if (items.size() != spatial && items.size() != 1) return std::nullopt;
  for (const RunValue* item : items) {
    if (item->integer < least || item->integer > kMost) return std::nullopt;
  }
  return Pair{spatial == 1 ? before : items.front()->integer, items.back()->integer};
}

// How many windows fit along dimension d of that size. With `ceil` a last one may reach beyond the
// padding, if it starts before the end of the image and its padding.
[[nodiscard]] inline int64_t WindowCount(int64_t size, const Window& window, size_t d,
                                         bool ceil = false) {
  const int64_t room = size + 2 * window.padding[d] - window.Reach(d);
  const int64_t stride = window.stride[d];
  if (room < 0 && (!ceil || room <= -stride)) return 0;
  if (!ceil) return room / stride + 1;
  const int64_t most = (size + window.padding[d] + stride - 1) / stride;
  return std::min((room + stride - 1) / stride + 1, most);
}

// The part of a window's places that lie inside: from `first` to before `end`, counted in elements
// of the window.
struct Inside {
  int64_t first = 0;
  int64_t end = 0;
};

[[nodiscard]] inline Inside InsideOf(const Window& window, size_t d, int64_t start, int64_t size) {
  const int64_t step = window.dilation[d];
  Inside inside;
  inside.first = start >= 0 ? 0 : (step - 1 - start) / step;
  inside.end = start >= size ? 0 : std::min(window.kernel[d], (size - start + step - 1) / step);
  inside.first = std::min(inside.first, window.kernel[d]);
  inside.end = std::max(inside.end, inside.first);
  return inside;
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_IMAGE_WINDOW_H_
