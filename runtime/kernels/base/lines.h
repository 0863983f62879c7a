// Tensors taken line by line along one dimension.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_LINES_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_LINES_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {

// One line: where it begins, how far apart its elements are, and how many there are.
struct Line {
  ScalarType dtype = ScalarType::kUInt8;
  CheckedPointer data;
  int64_t stride = 0;  // in bytes
  int64_t length = 0;

  [[nodiscard]] CheckedPointer At(int64_t i) const { return data + i * stride; }
};

// Calls each(lines) for every line of tensors that have equal sizes but along the dimension.
template <size_t kCount, class Each>
void ForEachLine(std::array<Region, kCount> regions, int64_t dim, const Each& each) {
  std::array<Line, kCount> lines;
  for (size_t k = 0; k < kCount; ++k) {
    Region& region = regions[k];
    const auto d = static_cast<size_t>(dim);
    const bool lone = region.rank == 0;  // a tensor without dimensions is one line
    lines[k] = {region.dtype, {}, lone ? 0 : region.strides[d], lone ? 1 : region.sizes[d]};
    if (!lone) Select(region, d, 0);
  }
  ForEachPlace(Walked(regions), [&](const auto& at) {
    for (size_t k = 0; k < kCount; ++k) lines[k].data = at[k];
    each(lines);
  });
}

// Calls each(numbers, count, first) with a line's elements, in blocks.
template <class T, class Each>
void ForEachBlock(const Line& line, const Each& each) {
  std::array<T, kBlock> numbers;
  for (int64_t first = 0; first < line.length; first += kBlock) {
    const int64_t count = std::min(kBlock, line.length - first);
    LoadBlock(line.dtype, line.At(first), line.stride, count, numbers.data());
    each(numbers.data(), count, first);
  }
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_LINES_H_
