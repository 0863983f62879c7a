#include "runtime/kernels/base/region.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/turned_copy.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof {
namespace {

int64_t CountOf(const Region& region) {
  int64_t count = 1;
  for (size_t d = 0; d < region.rank; ++d) {
    count = kernels::WrappedProduct(count, region.sizes[d]);
  }
  return count;
}

// Without dimensions of size 1, and with neighbours joined that are one run: the inner loop is
// long.
Region Simplified(const Region& region) {
  Region out = {region.dtype, region.data, 0, {}, {}};
  for (size_t d = 0; d < region.rank; ++d) {
    if (region.sizes[d] == 1) continue;
    const bool joins =
        out.rank > 0 && out.strides[out.rank - 1] == region.sizes[d] * region.strides[d];
    const size_t at = joins ? out.rank - 1 : out.rank++;
    out.sizes[at] =
        joins ? kernels::WrappedProduct(out.sizes[at], region.sizes[d]) : region.sizes[d];
    out.strides[at] = region.strides[d];
  }
  return out;
}

// Goes through a region run by run.
class Runs {
 public:
  explicit Runs(const Region& region) : region_(region), at_(region.data) {
    if (region_.rank > 0) {
      length_ = region_.sizes[region_.rank - 1];
      stride_ = region_.strides[region_.rank - 1];
    }
    left_ = length_;
  }
  [[nodiscard]] int64_t left() const { return left_; }  // in this run
  [[nodiscard]] int64_t stride() const { return stride_; }
  [[nodiscard]] CheckedPointer at() const { return at_; }

  void Advance(int64_t count) {
    left_ -= count;
    at_ += count * stride_;
    if (left_ > 0) return;
    at_ -= length_ * stride_;
    left_ = length_;
    for (size_t d = region_.rank; d-- > 1;) {
      at_ += region_.strides[d - 1];
      if (++index_[d - 1] < region_.sizes[d - 1]) return;
      at_ -= region_.sizes[d - 1] * region_.strides[d - 1];
      index_[d - 1] = 0;
    }
  }

 private:
  Region region_;
  CheckedPointer at_;
  int64_t length_ = 1;
  int64_t stride_ = 0;
  int64_t left_ = 1;
  std::array<int64_t, kMaxRank> index_ = {};
};

template <size_t kSize>
void CopyRun(const std::byte* from, int64_t from_stride, std::byte* to, int64_t to_stride,
             int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    std::memmove(to + i * to_stride, from + i * from_stride, kSize);
  }
}

// More at a time would not listen to the wish to stop.
constexpr int64_t kMostCopied = int64_t{1} << 16;

void CopySame(size_t size, CheckedPointer from_place, int64_t from_stride, CheckedPointer to_place,
              int64_t to_stride, int64_t count) {
  const auto bytes = static_cast<int64_t>(size);
  const std::byte* from = from_place.Read(size, from_stride, count);
  std::byte* to = to_place.Write(size, to_stride, count);
  if (from_stride == bytes && to_stride == bytes) {
    if (count > 0) std::memmove(to, from, size * static_cast<size_t>(count));
    return;
  }
  switch (size) {
    case 1:
      return CopyRun<1>(from, from_stride, to, to_stride, count);
    case 2:
      return CopyRun<2>(from, from_stride, to, to_stride, count);
    case 4:
      return CopyRun<4>(from, from_stride, to, to_stride, count);
    case 8:
      return CopyRun<8>(from, from_stride, to, to_stride, count);
    default:
      return CopyRun<16>(from, from_stride, to, to_stride, count);
  }
}

}  // namespace

Region WholeOf(const TensorRef& tensor) {
  Region region = {tensor.dtype, tensor.pointer(), tensor.rank(), {}, {}};
  const auto size = static_cast<int64_t>(ElementSize(tensor.dtype));
  for (size_t d = 0; d < tensor.rank(); ++d) {
    region.sizes[d] = tensor.sizes[d];
    region.strides[d] = tensor.strides[d] * size;
  }
  return region;
}

void Narrow(Region& region, size_t d, int64_t start, int64_t count, int64_t step) {
  if (count > 0) region.data += kernels::WrappedProduct(start, region.strides[d]);
  region.sizes[d] = count;
  // A step beyond the end is never taken.
  region.strides[d] = count > 1 ? kernels::WrappedProduct(region.strides[d], step) : 0;
}

void Select(Region& region, size_t d, int64_t index) {
  region.data += kernels::WrappedProduct(index, region.strides[d]);
  for (size_t k = d + 1; k < region.rank; ++k) {
    region.sizes[k - 1] = region.sizes[k];
    region.strides[k - 1] = region.strides[k];
  }
  --region.rank;
}

namespace {

// Regions of equal sizes, gone through together.
bool CopyTogether(const Region& from, const Region& to) {
  if (from.rank != to.rank || from.dtype != to.dtype) return false;
  for (size_t d = 0; d < to.rank; ++d) {
    if (from.sizes[d] != to.sizes[d]) return false;
  }
  const size_t size = ElementSize(to.dtype);
  kernels::ForEachRun<kMostCopied>(kernels::WalkOf(from, to),
                                   [&](const auto& at, const auto& strides, int64_t count) {
                                     CopySame(size, at[0], strides[0], at[1], strides[1], count);
                                   });
  return true;
}

}  // namespace

void CopyRegion(const Region& from, const Region& to) {
  int64_t left = CountOf(to);
  // Copies of nothing are work, too.
  for (const Region* region : {&from, &to}) {
    if (CallWork* work = region->data.work()) work->Take(1);
  }
  if (left == 0) return;
  if (CountOf(from) != left) ThrowOutside();
  if (kernels::CopyTurned(from, to) || CopyTogether(from, to)) return;
  Runs source(Simplified(from));
  Runs target(Simplified(to));
  while (left > 0) {
    const int64_t count = std::min({source.left(), target.left(), kMostCopied});
    if (from.dtype == to.dtype) {
      CopySame(ElementSize(from.dtype), source.at(), source.stride(), target.at(), target.stride(),
               count);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        kernels::CopyConverted(from.dtype, source.at() + i * source.stride(), to.dtype,
                               target.at() + i * target.stride());
      }
    }
    source.Advance(count);
    target.Advance(count);
    left -= count;
  }
}

}  // namespace pteproof
