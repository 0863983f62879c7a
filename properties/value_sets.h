// Values that belong together, joined two at a time.
#ifndef PTEPROOF_PROPERTIES_VALUE_SETS_H_
#define PTEPROOF_PROPERTIES_VALUE_SETS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace pteproof {

class ValueSets {
 public:
  explicit ValueSets(size_t values) : parent_(values) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // The smallest value of v's set. Shortens the way there.
  [[nodiscard]] int32_t Of(int32_t v) {
    while (Parent(v) != v) v = Parent(v) = Parent(Parent(v));
    return v;
  }

  void Join(int32_t a, int32_t b) {
    const int32_t x = Of(a);
    const int32_t y = Of(b);
    Parent(std::max(x, y)) = std::min(x, y);
  }

 private:
  int32_t& Parent(int32_t v) { return parent_[static_cast<size_t>(v)]; }

  std::vector<int32_t> parent_;
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_VALUE_SETS_H_
