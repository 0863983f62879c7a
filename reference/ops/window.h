// Windows that slide over the spatial dimensions of images, in convolutions and pools: their
// attributes and how many of them there are. The spatial dimensions are always two here: a signal
// of one counts as an image of height 1.
#ifndef PTEPROOF_REFERENCE_OPS_WINDOW_H_
#define PTEPROOF_REFERENCE_OPS_WINDOW_H_

#include <array>
#include <optional>
#include <vector>

#include "reference/ops/either_call.h"

namespace pteproof {

// Larger attributes are refused, so that no product of two leaves 64 bits.
inline constexpr int64_t kMostWindow = int64_t{1} << 30;

using Pair = std::array<int64_t, 2>;  // height, width

struct Window {
  Pair kernel = {1, 1};
  Pair stride = {1, 1};
  Pair padding = {0, 0};
  Pair dilation = {1, 1};

  // From the first to behind the last element of a window.
  [[nodiscard]] int64_t Reach(size_t d) const { return dilation[d] * (kernel[d] - 1) + 1; }
};

// The numbers of a list for `spatial` (1 or 2) dimensions: one number stands for all of them, and
// an empty list for `otherwise`. The first of one dimension is `before`. Nothing: the list has
// another length, or a number is not from `least` to kMostWindow.
[[nodiscard]] std::optional<Pair> PairOf(std::span<const int64_t> list, size_t spatial,
                                         int64_t least, int64_t before,
                                         std::optional<Pair> otherwise = std::nullopt);

// As above for an operand of the call; nothing also where a number depends on the dims.
template <class Arg>
[[nodiscard]] std::optional<Pair> PairAt(const CallOf<Arg>& call, size_t i, size_t spatial,
                                         int64_t least, int64_t before,
                                         std::optional<Pair> otherwise = std::nullopt) {
  const auto list = NumbersAt(call, i);
  return list ? PairOf(*list, spatial, least, before, otherwise) : std::nullopt;
}

// How many windows fit along dimension d of that size. With `ceil` a last one may reach beyond the
// padding, if it starts before the end of the image and its padding.
[[nodiscard]] SizeExpr WindowCount(const SizeExpr& size, const Window& window, size_t d,
                                   bool ceil = false);

// Whether a size is known to be below 1.
[[nodiscard]] bool IsBelowOne(const SizeExpr& size);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_WINDOW_H_
