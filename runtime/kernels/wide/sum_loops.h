// Sums of products: tiles of matrix products that stay in registers, weighted rows, and dot
// products. Idea: 6 rows and 2 vectors of columns make 12 vectors of sums, which with 2 vectors of
// the right factor and 1 of the left fill 16 registers, so that the inner loop stores nothing.
//
// Invariant: all sums of one tile are added in the order of k, whatever the tile's size, and panels
// hold kTileWidth columns, the unused ones of any value. Cost: rows x columns x inner
// multiplications, and one pass over the left factor for each panel. As lanes.h: for sources of one
// processor only.
#ifndef PTEPROOF_RUNTIME_KERNELS_WIDE_SUM_LOOPS_H_
#define PTEPROOF_RUNTIME_KERNELS_WIDE_SUM_LOOPS_H_

#include "runtime/kernels/wide/lanes.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

// Twelve vectors of sums, two of the right factor and one of the left: what sixteen registers hold.
constexpr int kTileRows = 6;
constexpr int kTileWidth = 2 * kLanes;

//            panel: inner x kTileWidth
//            | b b b b b b b b |        for each k: a row of the panel, times
//     left   +-----------------+        one number of each of the left rows
//      a . . | s s s s s s s s |
//      a . . | s s s s s s s s |  sums: kRows x kTileWidth
template <int kRows>
void MultiplyTile(const ProductJob& job, int64_t row, float* sums) {
  Floats low[kRows] = {};
  Floats high[kRows] = {};
  const std::byte* left[kRows];
  for (int r = 0; r < kRows; ++r) left[r] = job.left + (row + r) * job.left_row;
  const float* panel = job.panel;
  for (int64_t k = 0; k < job.inner; ++k) {
    const Floats first = Load(panel);
    const Floats second = Load(panel + kLanes);
    panel += kTileWidth;
    for (int r = 0; r < kRows; ++r) {
      const Floats factor = All(LoadOneFloat(left[r]));
      low[r] += factor * first;
      high[r] += factor * second;
      left[r] += job.left_step;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    Store(sums + r * kTileWidth, low[r]);
    Store(sums + r * kTileWidth + kLanes, high[r]);
  }
}

inline void MultiplyRows(const ProductJob& job, int64_t row, int64_t rows, float* sums) {
  switch (rows) {
    case 1:
      return MultiplyTile<1>(job, row, sums);
    case 2:
      return MultiplyTile<2>(job, row, sums);
    case 3:
      return MultiplyTile<3>(job, row, sums);
    case 4:
      return MultiplyTile<4>(job, row, sums);
    case 5:
      return MultiplyTile<5>(job, row, sums);
    default:
      return MultiplyTile<kTileRows>(job, row, sums);
  }
}

void Multiply(const ProductJob& job) {
  alignas(64) float sums[kTileRows * kTileWidth];
  for (int64_t column = 0; column < job.columns; column += kTileWidth) {
    const int64_t left = job.columns - column;
    const int64_t columns = left < kTileWidth ? left : kTileWidth;
    job.fetch(job.context, column, columns, kTileWidth, job.panel);
    for (int64_t row = 0; row < job.rows; row += kTileRows) {
      const int64_t below = job.rows - row;
      const int64_t rows = below < kTileRows ? below : kTileRows;
      MultiplyRows(job, row, rows, sums);
      job.put(job.context, {row, column, rows, columns, sums, kTileWidth});
    }
  }
}

// Four vectors at a time, so that sums of one do not wait for those of another.
void Weigh(const std::byte* const* rows, const float* factors, int64_t taps, int64_t count,
           float* to) {
  constexpr int kTogether = 4;
  constexpr int64_t kStep = kTogether * kLanes;
  constexpr auto kBytes = static_cast<int64_t>(sizeof(float));
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    Floats sums[kTogether];
    for (int v = 0; v < kTogether; ++v) sums[v] = Load(to + i + v * kLanes);
    for (int64_t t = 0; t < taps; ++t) {
      const Floats factor = All(factors[t]);
      const std::byte* from = rows[t] + i * kBytes;
      for (int v = 0; v < kTogether; ++v) sums[v] += factor * Load(from + v * kLanes * kBytes);
    }
    for (int v = 0; v < kTogether; ++v) Store(to + i + v * kLanes, sums[v]);
  }
  for (; i + kLanes <= count; i += kLanes) {
    Floats sum = Load(to + i);
    for (int64_t t = 0; t < taps; ++t) sum += factors[t] * Load(rows[t] + i * kBytes);
    Store(to + i, sum);
  }
  for (; i < count; ++i) {
    float sum = to[i];
    for (int64_t t = 0; t < taps; ++t) sum += factors[t] * LoadOneFloat(rows[t] + i * kBytes);
    to[i] = sum;
  }
}

float Dot(const std::byte* a, const std::byte* b, int64_t count) {
  constexpr int kTogether = 4;
  constexpr int64_t kStep = kTogether * kLanes;
  constexpr auto kBytes = static_cast<int64_t>(sizeof(float));
  Floats sums[kTogether] = {};
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    for (int v = 0; v < kTogether; ++v) {
      const int64_t at = (i + v * kLanes) * kBytes;
      sums[v] += Load(a + at) * Load(b + at);
    }
  }
  for (; i + kLanes <= count; i += kLanes) sums[0] += Load(a + i * kBytes) * Load(b + i * kBytes);
  float sum = SumOf((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < count; ++i) sum += LoadOneFloat(a + i * kBytes) * LoadOneFloat(b + i * kBytes);
  return sum;
}

}  // namespace
}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_WIDE_SUM_LOOPS_H_
