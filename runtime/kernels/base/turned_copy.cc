#include "runtime/kernels/base/turned_copy.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

// Two dimensions whose roles change: elements lie side by side along `down` in the one and along
// `across` in the other.
struct Turned {
  Together<2> walk;  // without those two dimensions
  int64_t down = 0;  // sizes
  int64_t across = 0;
  int64_t from_stride = 0;  // along `across`
  int64_t to_stride = 0;    // along `down`
};

// Whether a copy turns dimensions, none of which is so short that it does not matter.
bool Turns(const Region& from, const Region& to, Turned& turned) {
  constexpr int64_t kShort = 4;
  const auto size = static_cast<int64_t>(ElementSize(to.dtype));
  const size_t rank = to.rank;
  if (from.dtype != to.dtype || from.rank != rank || rank < 2) return false;
  if (from.strides[rank - 1] == size) return false;
  for (size_t d = 0; d < rank; ++d) {
    if (from.sizes[d] != to.sizes[d] || from.strides[d] < 0) return false;
  }
  const Together<2> walk = Joined(WalkOf(from, to));
  const size_t last = walk.rank - 1;
  size_t down = 0;
  while (down < last && walk.strides[0][down] != size) ++down;
  if (down == last || walk.strides[1][last] != size) return false;
  turned.walk.data = walk.data;
  for (size_t d = 0; d < last; ++d) {
    if (d != down) turned.walk.Add(walk.sizes[d], {walk.strides[0][d], walk.strides[1][d]});
  }
  turned.down = walk.sizes[down];
  turned.across = walk.sizes[last];
  turned.from_stride = walk.strides[0][last];
  turned.to_stride = walk.strides[1][down];
  return turned.down >= kShort && turned.across >= kShort;
}

// Tile by tile, so that every line of the cache that is touched is used up.
template <size_t kSize>
void CopyTiles(const Turned& turned, const std::byte* from, std::byte* to) {
  constexpr int64_t kDown = 16;
  constexpr int64_t kAcross = 8;
  constexpr auto kStep = static_cast<int64_t>(kSize);
  for (int64_t top = 0; top < turned.down; top += kDown) {
    const int64_t bottom = std::min(top + kDown, turned.down);
    for (int64_t left = 0; left < turned.across; left += kAcross) {
      const int64_t right = std::min(left + kAcross, turned.across);
      for (int64_t y = top; y < bottom; ++y) {
        for (int64_t x = left; x < right; ++x) {
          std::memcpy(to + y * turned.to_stride + x * kStep,
                      from + x * turned.from_stride + y * kStep, kSize);
        }
      }
    }
  }
}

void CopyTiles(size_t size, const Turned& turned) {
  const auto step = static_cast<int64_t>(size);
  ForEachPlace(turned.walk, [&](const auto& at) {
    const std::byte* from =
        at[0].ReadRows(size, step, turned.down, turned.from_stride, turned.across);
    std::byte* to = at[1].WriteRows(size, step, turned.across, turned.to_stride, turned.down);
    if (size == 1) return CopyTiles<1>(turned, from, to);
    if (size == 2) return CopyTiles<2>(turned, from, to);
    if (size == 4) {
      return BestRoutines().turn(
          {from, to, turned.from_stride, turned.to_stride, turned.down, turned.across});
    }
    if (size == 8) return CopyTiles<8>(turned, from, to);
    CopyTiles<16>(turned, from, to);
  });
}

// Behind the last byte of a region that has elements.
uintptr_t EndOf(const Region& region) {
  uintptr_t end = region.data.address() + ElementSize(region.dtype);
  for (size_t d = 0; d < region.rank; ++d) {
    end += static_cast<uintptr_t>((region.sizes[d] - 1) * region.strides[d]);
  }
  return end;
}

}  // namespace

bool CopyTurned(const Region& from, const Region& to) {
  Turned turned;
  if (!Turns(from, to, turned)) return false;
  if (EndOf(from) > to.data.address() && EndOf(to) > from.data.address()) return false;
  CopyTiles(ElementSize(to.dtype), turned);
  return true;
}

}  // namespace pteproof::kernels
