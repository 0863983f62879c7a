// Items 0, 1, ... that belong together, joined two at a time (union-find).
#ifndef PTEPROOF_BASE_DISJOINT_SETS_H_
#define PTEPROOF_BASE_DISJOINT_SETS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace pteproof {

class DisjointSets {
 public:
  explicit DisjointSets(size_t items) : parent_(items) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // The smallest item of the set. Shortens the way there.
  [[nodiscard]] int32_t Of(int32_t item) {
    while (Parent(item) != item) item = Parent(item) = Parent(Parent(item));
    return item;
  }

  void Join(int32_t a, int32_t b) {
    const int32_t x = Of(a);
    const int32_t y = Of(b);
    Parent(std::max(x, y)) = std::min(x, y);
  }

 private:
  int32_t& Parent(int32_t item) { return parent_[static_cast<size_t>(item)]; }

  std::vector<int32_t> parent_;
};

}  // namespace pteproof

#endif  // PTEPROOF_BASE_DISJOINT_SETS_H_
