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
  for (size_t d = 0; d < region.rank; ++d) count = WrappedProduct(count, region.sizes[d]);
  return count;
}

// Numbers in memory that is lent. As with places (checked_pointer.h), what is beyond them ends the
// call.
template <class T>
class LentNumbers {
 public:
  LentNumbers() = default;
  LentNumbers(T* first, int64_t count) : first_(first), count_(count) {}

  // False: there was not enough memory.
  [[nodiscard]] bool given() const { return first_ != nullptr; }
  [[nodiscard]] int64_t size() const { return count_; }
  [[nodiscard]] T& operator[](int64_t i) const {
    if (static_cast<uint64_t>(i) >= static_cast<uint64_t>(count_)) ThrowOutside();
    return first_[i];
  }
  // `count` of them from `first` on.
  [[nodiscard]] LentNumbers Part(int64_t first, int64_t count) const {
    if (first < 0 || count < 0 || first > count_ || count > count_ - first) ThrowOutside();
    return {first_ + first, count};
  }
  // For inner loops over all of a part.
  [[nodiscard]] T* data() const { return first_; }
  [[nodiscard]] T* begin() const { return first_; }
  [[nodiscard]] T* end() const { return first_ + count_; }

 private:
  T* first_ = nullptr;
  int64_t count_ = 0;
};

// Room for so many numbers.
template <class T>
[[nodiscard]] LentNumbers<T> RoomFor(int64_t count, Scratch& scratch) {
  const auto numbers = static_cast<uint64_t>(std::max<int64_t>(count, 1));
  if (count < 0 || numbers > std::numeric_limits<size_t>::max() / sizeof(T)) return {};
  const size_t bytes = sizeof(T) * numbers;
  const auto memory = scratch.Lend(bytes);
  if (memory.size() < bytes) return {};
  return {reinterpret_cast<T*>(memory.data()), count};
}
// Of a product of sizes.
template <class T>
[[nodiscard]] LentNumbers<T> RoomFor(int64_t rows, int64_t columns, Scratch& scratch) {
  int64_t count = 0;
  if (__builtin_mul_overflow(rows, columns, &count)) return {};
  return RoomFor<T>(count, scratch);
}

// A line of any length: as LoadBlock and StoreBlock do with a block.
template <class T>
void LoadLine(ScalarType dtype, CheckedPointer from, int64_t stride, const LentNumbers<T>& to) {
  for (int64_t first = 0; first < to.size(); first += CallWork::kShare) {
    const int64_t count = std::min(CallWork::kShare, to.size() - first);
    LoadBlock(dtype, from + WrappedProduct(first, stride), stride, count, to.data() + first);
  }
}
template <class T>
void StoreLine(ScalarType dtype, const LentNumbers<T>& from, CheckedPointer to, int64_t stride) {
  for (int64_t first = 0; first < from.size(); first += CallWork::kShare) {
    const int64_t count = std::min(CallWork::kShare, from.size() - first);
    StoreBlock(dtype, from.data() + first, count, to + WrappedProduct(first, stride), stride);
  }
}

template <class T>
void FillNumbers(const LentNumbers<T>& numbers, T value, CallWork& work) {
  work.InPieces(numbers.size(), [&](int64_t first, int64_t count) {
    std::fill_n(numbers.data() + first, count, value);
  });
}

// The elements of a region.
template <class T>
[[nodiscard]] LentNumbers<T> Packed(const Region& region, Scratch& scratch) {
  const LentNumbers<T> numbers = RoomFor<T>(CountIn(region), scratch);
  if (!numbers.given()) return numbers;
  int64_t next = 0;
  ForEachRun<kBlock>(Walked<1>({region}), [&](const auto& at, const auto& strides, int64_t count) {
    LoadBlock(region.dtype, at[0], strides[0], count, numbers.Part(next, count).data());
    next += count;
  });
  return numbers;
}

// Stores numbers as the elements of a region.
template <class T>
void StorePacked(const LentNumbers<T>& numbers, const Region& region) {
  int64_t next = 0;
  ForEachRun<kBlock>(Walked<1>({region}), [&](const auto& at, const auto& strides, int64_t count) {
    StoreBlock(region.dtype, numbers.Part(next, count).data(), count, at[0], strides[0]);
    next += count;
  });
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_PACKED_H_
