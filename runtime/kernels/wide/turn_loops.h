// Transposes a matrix of four-byte elements. Idea: a square of kLanes x kLanes elements is turned
// in registers by swapping quarters, then the quarters of each quarter, and so on:
//
//   a b | c d        a b | i j        a e | i m
//   e f | g h        e f | m n        b f | j n
//   ----+----   ->   ----+----   ->   ----+----
//   i j | k l        c d | k l        c g | k o
//   m n | o p        g h | o p        d h | l p
//
// Tiles of 16 x 16 elements read and write whole cache lines; the rest goes element by element.
// Cost: O(elements), with kLanes log kLanes shuffles for each square. As lanes.h: for sources of
// one processor only.
#ifndef PTEPROOF_RUNTIME_KERNELS_WIDE_TURN_LOOPS_H_
#define PTEPROOF_RUNTIME_KERNELS_WIDE_TURN_LOOPS_H_

#include "runtime/kernels/wide/lanes.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

template <int... kLane>
struct LaneList {};
template <int kCount, int... kLane>
struct LanesTo : LanesTo<kCount - 1, kCount - 1, kLane...> {};
template <int... kLane>
struct LanesTo<0, kLane...> {
  using List = LaneList<kLane...>;
};

// Swaps the upper right and the lower left quarter of every square of 2 x kStep lanes, of which `a`
// is a row in the upper half and `b` the one kStep below.
template <int kStep, int... kLane>
inline void SwapQuarters(Floats& a, Floats& b, LaneList<kLane...>) {
  const Floats upper =
      __builtin_shufflevector(a, b, ((kLane & kStep) == 0 ? kLane : kLane - kStep + kLanes)...);
  b = __builtin_shufflevector(a, b, ((kLane & kStep) == 0 ? kLane + kStep : kLane + kLanes)...);
  a = upper;
}

template <int kStep>
inline void SwapAll(Floats* rows) {
  for (int r = 0; r < kLanes; ++r) {
    if ((r & kStep) == 0) SwapQuarters<kStep>(rows[r], rows[r + kStep], LanesTo<kLanes>::List());
  }
  if constexpr (kStep > 1) SwapAll<kStep / 2>(rows);
}

inline void TurnSquare(const TurnJob& job, int64_t y, int64_t x) {
  Floats rows[kLanes];
  const std::byte* from = job.from + x * job.from_stride + y * 4;
  std::byte* to = job.to + y * job.to_stride + x * 4;
  for (int r = 0; r < kLanes; ++r) rows[r] = Load(from + r * job.from_stride);
  SwapAll<kLanes / 2>(rows);
  for (int r = 0; r < kLanes; ++r) Store(to + r * job.to_stride, rows[r]);
}

inline void TurnElements(const TurnJob& job, int64_t top, int64_t bottom, int64_t left,
                         int64_t right) {
  for (int64_t y = top; y < bottom; ++y) {
    for (int64_t x = left; x < right; ++x) {
      __builtin_memcpy(job.to + y * job.to_stride + x * 4, job.from + x * job.from_stride + y * 4,
                       4);
    }
  }
}

// In tiles of a line of the cache each way, so that each line is used up while it is at hand.
void Turn(const TurnJob& job) {
  constexpr int64_t kTile = 16;
  for (int64_t left = 0; left < job.across; left += kTile) {
    const int64_t right = left + kTile < job.across ? left + kTile : job.across;
    for (int64_t top = 0; top < job.down; top += kTile) {
      const int64_t bottom = top + kTile < job.down ? top + kTile : job.down;
      if (right - left < kTile || bottom - top < kTile) {
        TurnElements(job, top, bottom, left, right);
        continue;
      }
      // What the tile beside this one will read.
      for (int64_t x = right; x < right + kTile && x < job.across; ++x) {
        __builtin_prefetch(job.from + x * job.from_stride + top * 4);
      }
      for (int64_t x = left; x < right; x += kLanes) {
        for (int64_t y = top; y < bottom; y += kLanes) TurnSquare(job, y, x);
      }
    }
  }
}

}  // namespace
}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_WIDE_TURN_LOOPS_H_
