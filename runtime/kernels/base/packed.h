// A tensor's elements as numbers of one kind, in row-major order, in memory that is lent: kernels
// whose inner loops go over an element many times convert it once.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_PACKED_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_PACKED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/scratch.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {

[[nodiscard]] inline int64_t CountIn(const Region& region) {
  int64_t count = 1;
  for (size_t d = 0; d < region.rank; ++d) count *= region.sizes[d];
  return count;
}

// Room for so many numbers. Null: there is not enough memory.
template <class T>
[[nodiscard]] T* RoomFor(int64_t count, Scratch& scratch) {
  const auto numbers = static_cast<size_t>(std::max<int64_t>(count, 1));
  if (numbers > std::numeric_limits<size_t>::max() / sizeof(T)) return nullptr;
  const size_t bytes = sizeof(T) * numbers;
  const auto memory = scratch.Lend(bytes);
  return memory.size() < bytes ? nullptr : reinterpret_cast<T*>(memory.data());
}

// The elements of a region. Null: there is not enough memory.
template <class T>
[[nodiscard]] T* Packed(const Region& region, Scratch& scratch) {
  T* numbers = RoomFor<T>(CountIn(region), scratch);
  if (numbers == nullptr) return nullptr;
  T* next = numbers;
  ForEachRun<kBlock>(Walked<1>({region}), [&](const auto& at, const auto& strides, int64_t count) {
    LoadBlock(region.dtype, at[0], strides[0], count, next);
    next += count;
  });
  return numbers;
}

// Stores numbers as the elements of a region.
template <class T>
void StorePacked(const T* numbers, const Region& region) {
  ForEachRun<kBlock>(Walked<1>({region}), [&](const auto& at, const auto& strides, int64_t count) {
    StoreBlock(region.dtype, numbers, count, at[0], strides[0]);
    numbers += count;
  });
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_PACKED_H_
