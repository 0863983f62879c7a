// A search for the things that lie over a range of bytes: by offset, under a tree of their highest
// ends.
#ifndef PTEPROOF_MEANING_PLACE_SEARCH_H_
#define PTEPROOF_MEANING_PLACE_SEARCH_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "meaning/place.h"

namespace pteproof::meaning {

// Of things with a member `place`. Node n holds the highest end below its children 2n and 2n + 1,
// thing i is leaf `leaves_` + i.
template <class T>
class PlaceSearch {
 public:
  std::vector<T> things;  // to be filled, then sorted by Finish()

  // O(n log n).
  void Finish() {
    std::ranges::stable_sort(things, {}, StartOf);
    leaves_ = std::bit_ceil(things.size() + 1);  // one leaf for the end
    highest_.assign(2 * leaves_, {});
    for (size_t i = 0; i < things.size(); ++i) highest_[leaves_ + i] = EndOf(things[i].place);
    for (size_t n = leaves_; n-- > 1;) highest_[n] = std::max(highest_[2 * n], highest_[2 * n + 1]);
  }

  // The last one over `place` that passes the test, or null; each that fails costs O(log n).
  template <class Test>
  const T* Find(const Place& place, Test test) const {
    const auto behind = std::ranges::lower_bound(things, EndOf(place), {}, StartOf);
    auto end = static_cast<size_t>(behind - things.begin());
    while (const T* thing = LastBefore(end, {place.bank, place.lo})) {
      if (thing->place.Meets(place) && test(*thing)) return thing;
      end = static_cast<size_t>(thing - things.data());
    }
    return nullptr;
  }

 private:
  using Byte = std::pair<uint32_t, uint64_t>;  // bank, offset

  static Byte StartOf(const T& thing) { return {thing.place.bank, thing.place.lo}; }
  static Byte EndOf(const Place& place) { return {place.bank, place.hi}; }

  // The last one before number `end` that ends behind a byte, or null.
  const T* LastBefore(size_t end, const Byte& byte) const {
    size_t n = leaves_ + end;
    while (n > 1 && !(n % 2 == 1 && highest_[n - 1] > byte)) n /= 2;
    if (n <= 1) return nullptr;
    for (--n; n < leaves_;) n = highest_[2 * n + 1] > byte ? 2 * n + 1 : 2 * n;
    return &things[n - leaves_];
  }

  std::vector<Byte> highest_;
  size_t leaves_ = 1;
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PLACE_SEARCH_H_
