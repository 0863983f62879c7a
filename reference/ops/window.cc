#include "reference/ops/window.h"

#include <algorithm>

namespace pteproof {

std::optional<Pair> PairOf(std::span<const int64_t> list, size_t spatial, int64_t least,
                           int64_t before, std::optional<Pair> otherwise) {
  if (list.empty() && otherwise) return otherwise;
  if (list.size() != spatial && list.size() != 1) return std::nullopt;
  if (std::ranges::any_of(list, [&](int64_t n) { return n < least || n > kMostWindow; })) {
    return std::nullopt;
  }
  return Pair{spatial == 1 ? before : list.front(), list.back()};
}

SizeExpr WindowCount(const SizeExpr& size, const Window& window, size_t d, bool ceil) {
  const SizeExpr room = size + (2 * window.padding[d] - window.Reach(d));
  if (!ceil) return FloorDiv(room, window.stride[d]) + 1;
  return Min(CeilDiv(room, window.stride[d]) + 1,
             CeilDiv(size + window.padding[d], window.stride[d]));
}

bool IsBelowOne(const SizeExpr& size) {
  const auto number = size.Constant();
  return number && *number < 1;
}

}  // namespace pteproof
