// Products of float32: tile by tile, or for few rows without laying out anything anew.
#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/kernels/product/product.h"
#include "runtime/kernels/wide/routines.h"

namespace pteproof::kernels {
namespace {

constexpr auto kFloatBytes = static_cast<int64_t>(sizeof(float));

// Of fewer rows each number of the right factor is used too seldom to be copied before.
constexpr int64_t kFewRows = 4;

struct SingleProduct {
  const Matrix& right;
  const Target& target;
  CallWork& work;
};

void FetchColumns(const void* context, int64_t column, int64_t columns, int64_t width,
                  float* panel) {
  const Matrix& right = static_cast<const SingleProduct*>(context)->right;
  if (right.column_stride == kFloatBytes) {
    for (int64_t k = 0; k < right.rows; ++k, panel += width) {
      CopyFloats(right.At(k, column).Read(sizeof(float), kFloatBytes, columns), columns, panel);
    }
    return;
  }
  for (int64_t c = 0; c < columns; ++c) {
    const std::byte* from =
        right.At(0, column + c).Read(sizeof(float), right.row_stride, right.rows);
    for (int64_t k = 0; k < right.rows; ++k) {
      std::memcpy(panel + k * width + c, from + k * right.row_stride, sizeof(float));
    }
  }
}

// A piece of a row of the result, no longer than a block.
void PutRow(const Target& target, int64_t row, int64_t column, const float* sums, int64_t count) {
  const auto& [out, bias, alpha, beta] = target;
  if (!bias.data.given()) {
    StoreBlock(out.dtype, sums, count, out.At(row, column), out.column_stride);
    return;
  }
  if (alpha.real != 1 || beta.real != 1 || bias.dtype != ScalarType::kFloat32) {
    for (int64_t c = 0; c < count; ++c) target.Put(row, column + c, static_cast<double>(sums[c]));
    return;
  }
  std::array<float, kBlock> totals;
  LoadBlock(bias.dtype, bias.At(row, column), bias.column_stride, count, totals.data());
  for (size_t c = 0; c < static_cast<size_t>(count); ++c) totals[c] += sums[c];
  StoreBlock(out.dtype, totals.data(), count, out.At(row, column), out.column_stride);
}

void PutTile(const void* context, const ProductTile& tile) {
  const auto& [right, target, work] = *static_cast<const SingleProduct*>(context);
  work.TakeProduct(tile.rows, right.rows);
  for (int64_t r = 0; r < tile.rows; ++r) {
    PutRow(target, tile.row + r, tile.column, tile.sums + r * tile.stride, tile.columns);
  }
}

// Rows of the right factor, weighted by a row of the left one: some at a time, each from its
// beginning to its end.
void WeighRows(const Matrix& a, const Matrix& b, const Target& target, int64_t row) {
  constexpr int64_t kTogether = 8;
  std::array<const std::byte*, kTogether> rows;
  std::array<float, kTogether> factors;
  std::array<float, kBlock> sums;
  for (int64_t column = 0; column < b.columns; column += kBlock) {
    const int64_t count = std::min(kBlock, b.columns - column);
    sums.fill(0);
    for (int64_t k = 0; k < b.rows; k += kTogether) {
      const int64_t taps = std::min(kTogether, b.rows - k);
      for (int64_t t = 0; t < taps; ++t) {
        rows[static_cast<size_t>(t)] = b.At(k + t, column).Read(sizeof(float), kFloatBytes, count);
        factors[static_cast<size_t>(t)] = LoadOne<float>(a.dtype, a.At(row, k + t));
      }
      BestRoutines().weigh(rows.data(), factors.data(), taps, count, sums.data());
    }
    PutRow(target, row, column, sums.data(), count);
  }
}

// Each element by itself, from numbers that lie one behind the other.
void DotRows(const Matrix& a, const Matrix& b, const Target& target, int64_t row, CallWork& work) {
  constexpr int64_t kMostTogether = int64_t{1} << 20;  // until the next question
  std::array<float, kBlock> sums;
  for (int64_t column = 0; column < b.columns; column += kBlock) {
    const int64_t count = std::min(kBlock, b.columns - column);
    const std::byte* left = a.At(row, 0).Read(sizeof(float), kFloatBytes, b.rows);
    for (int64_t c = 0; c < count; ++c) {
      const std::byte* right = b.At(0, column + c).Read(sizeof(float), kFloatBytes, b.rows);
      float sum = 0;
      for (int64_t first = 0; first < b.rows; first += kMostTogether) {
        const int64_t part = std::min(kMostTogether, b.rows - first);
        const int64_t at = first * kFloatBytes;
        const float more = BestRoutines().dot(left + at, right + at, part);
        sum = first == 0 ? more : sum + more;
        work.Pass(part);
      }
      sums[static_cast<size_t>(c)] = sum;
    }
    PutRow(target, row, column, sums.data(), count);
  }
}

bool MultiplyTiles(const Matrix& a, const Matrix& b, const Target& target, Scratch& scratch) {
  const Routines& routines = BestRoutines();
  // Panels begin where a line of the cache does.
  constexpr uintptr_t kLine = 64;
  // Far more than a matrix has here; with more, the way of other types does.
  if (a.columns > int64_t{1} << 40) return false;
  const auto bytes = static_cast<size_t>(a.columns * routines.width * kFloatBytes) + kLine;
  const std::span<std::byte> memory = scratch.Lend(bytes);
  if (memory.empty()) return false;
  const uintptr_t over = reinterpret_cast<uintptr_t>(memory.data()) % kLine;
  const SingleProduct context = {b, target, scratch.work()};
  const std::byte* left =
      a.data.ReadRows(sizeof(float), a.column_stride, a.columns, a.row_stride, a.rows);
  ProductJob job = {a.rows, b.columns, a.columns, left, a.row_stride, a.column_stride};
  job.context = &context;
  job.fetch = FetchColumns;
  job.put = PutTile;
  job.panel = reinterpret_cast<float*>(memory.data() + (kLine - over) % kLine);
  routines.multiply(job);
  return true;
}

}  // namespace

bool MultiplySingle(const Matrix& a, const Matrix& b, const Target& target, Scratch& scratch) {
  if (a.dtype != ScalarType::kFloat32 || b.dtype != ScalarType::kFloat32) return false;
  const bool in_rows = b.column_stride == kFloatBytes;
  const bool in_columns = b.row_stride == kFloatBytes && a.column_stride == kFloatBytes;
  if (a.rows > kFewRows || (!in_rows && !in_columns)) return MultiplyTiles(a, b, target, scratch);
  for (int64_t row = 0; row < a.rows; ++row) {
    in_rows ? WeighRows(a, b, target, row) : DotRows(a, b, target, row, scratch.work());
  }
  return true;
}

}  // namespace pteproof::kernels
