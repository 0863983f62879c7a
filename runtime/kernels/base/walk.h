// Several tensors gone through together, run by run: one size for each dimension, strides for each
// tensor. Dimensions that all of them have as one run are joined.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_WALK_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_WALK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/region.h"

namespace pteproof::kernels {

// Beyond `rank` sizes and strides are left open: walks are made for every call.
template <size_t kCount>
struct Together {
  size_t rank = 0;
  CheckedArray<int64_t, kMaxRank> sizes;
  std::array<CheckedArray<int64_t, kMaxRank>, kCount> strides;  // in bytes
  std::array<CheckedPointer, kCount> data = {};

  void Add(int64_t size, const std::array<int64_t, kCount>& stride) {
    sizes[rank] = size;
    for (size_t k = 0; k < kCount; ++k) strides[k][rank] = stride[k];
    ++rank;
  }
  [[nodiscard]] int64_t Count() const {
    int64_t count = 1;
    for (size_t d = 0; d < rank; ++d) count = WrappedProduct(count, sizes[d]);
    return count;
  }
};

// Gives a region other sizes, to which it is spread: counted from the back equal, or 1. False: it
// does not fit.
[[nodiscard]] inline bool Spread(Region& region, const Region& shape) {
  if (region.rank > shape.rank) return false;
  const Region whole = region;
  const size_t extra = shape.rank - region.rank;
  for (size_t d = 0; d < shape.rank; ++d) {
    const bool kept = d >= extra && whole.sizes[d - extra] == shape.sizes[d];
    if (d >= extra && !kept && whole.sizes[d - extra] != 1) return false;
    region.strides[d] = kept ? whole.strides[d - extra] : 0;
    region.sizes[d] = shape.sizes[d];
  }
  region.rank = shape.rank;
  return true;
}

// Regions of equal sizes.
template <class... Others>
[[nodiscard]] Together<1 + sizeof...(Others)> WalkOf(const Region& first, const Others&... others) {
  Together<1 + sizeof...(Others)> walk;
  walk.data = {first.data, others.data...};
  for (size_t d = 0; d < first.rank; ++d) {
    walk.Add(first.sizes[d], {first.strides[d], others.strides[d]...});
  }
  return walk;
}
template <size_t kCount>
[[nodiscard]] Together<kCount> Walked(const std::array<Region, kCount>& regions) {
  return std::apply([](const auto&... each) { return WalkOf(each...); }, regions);
}

// Without dimensions of size 1, neighbours joined; at least one dimension is left.
template <size_t kCount>
[[nodiscard]] Together<kCount> Joined(const Together<kCount>& walk) {
  Together<kCount> out;
  out.data = walk.data;
  for (size_t d = 0; d < walk.rank; ++d) {
    if (walk.sizes[d] == 1) continue;
    bool joins = out.rank > 0;
    for (size_t k = 0; k < kCount && joins; ++k) {
      const int64_t whole = WrappedProduct(walk.sizes[d], walk.strides[k][d]);
      joins = out.strides[k][out.rank - 1] == whole;
    }
    if (!joins) out.sizes[out.rank++] = 1;
    out.sizes[out.rank - 1] = WrappedProduct(out.sizes[out.rank - 1], walk.sizes[d]);
    for (size_t k = 0; k < kCount; ++k) out.strides[k][out.rank - 1] = walk.strides[k][d];
  }
  if (out.rank == 0) out.Add(1, {});
  return out;
}

// The work that is told of a walk.
template <size_t kCount>
[[nodiscard]] CallWork* WorkOf(const Together<kCount>& walk) {
  for (const CheckedPointer& place : walk.data) {
    if (place.work() != nullptr) return place.work();
  }
  return nullptr;
}

// Calls each(at, strides, count) for every run, in row-major order: where each tensor's first
// element of the run lies, and how far apart the next ones are. No run has more than kMost. A walk
// over nothing is work, too.
template <int64_t kMost, size_t kCount, class Each>
void ForEachRun(const Together<kCount>& unjoined, const Each& each) {
  CallWork* work = WorkOf(unjoined);
  if (work != nullptr) work->Take(1);
  if (unjoined.Count() == 0) return;
  Together<kCount> walk = Joined(unjoined);
  const size_t last = walk.rank - 1;
  std::array<int64_t, kCount> strides;
  for (size_t k = 0; k < kCount; ++k) strides[k] = walk.strides[k][last];
  std::array<int64_t, kMaxRank> index = {};
  std::array<CheckedPointer, kCount> row = walk.data;
  while (true) {
    if (work != nullptr) work->Take(walk.sizes[last]);
    auto at = row;
    for (int64_t left = walk.sizes[last]; left > 0; left -= kMost) {
      each(at, strides, left < kMost ? left : kMost);
      for (size_t k = 0; k < kCount && left > kMost; ++k) at[k] += kMost * strides[k];
    }
    size_t d = last;
    while (d-- > 0) {
      for (size_t k = 0; k < kCount; ++k) row[k] += walk.strides[k][d];
      if (++index[d] < walk.sizes[d]) break;
      for (size_t k = 0; k < kCount; ++k) {
        row[k] -= WrappedProduct(walk.sizes[d], walk.strides[k][d]);
      }
      index[d] = 0;
    }
    if (d > last) return;  // beyond the first dimension
  }
}

// Calls each(at) for every element.
template <size_t kCount, class Each>
void ForEachPlace(const Together<kCount>& walk, const Each& each) {
  constexpr int64_t kAll = int64_t{1} << 62;
  ForEachRun<kAll>(walk, [&](auto at, const auto& strides, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      each(at);
      for (size_t k = 0; k < kCount && i + 1 < count; ++k) at[k] += strides[k];
    }
  });
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_WALK_H_
