// Hadamard transforms of rows: sums and differences only, scaled to keep lengths. A row of 2^n
// numbers takes n passes over pairs; one of 28 * 2^n is 28 such rows, which a matrix of order 28
// mixes (unscaled). Cost: a row's length times n, and times 28 where it is mixed.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// A Hadamard matrix: any two rows agree in half of their places. A bit is set where the sign is
// minus, the lowest for the first column.
constexpr size_t kOrder = 28;
constexpr std::array<uint32_t, kOrder> kMinusSigns = {
    0xCD69E7E, 0x9AD7C7D, 0x37AB8FB, 0x6D571F7, 0xD8AE3EF, 0xB3587DF, 0x66B4F3F,
    0xB467F43, 0x6ACBE87, 0xD593D8E, 0xAB27B9C, 0x564F7B8, 0xAC9AFF0, 0x5B31FE1,
    0x87FB325, 0x0FF66CA, 0x1DECD95, 0x39DDB2A, 0x71BF654, 0xE17ECA9, 0xC2FD9D2,
    0xFCF1299, 0xFBE2532, 0xF7C4AE4, 0xEF8D549, 0xDF1EA13, 0xBE3D4A6, 0x7E7A94C};

void TransformPairs(double* x, int64_t size, CallWork& work) {
  for (int64_t half = 1; half < size; half *= 2) {
    const int64_t most = std::min(half, CallWork::kShare);
    for (int64_t first = 0; first < size; first += 2 * half) {
      for (int64_t piece = first; piece < first + half; piece += most) {
        work.Pass(2 * most);
        for (int64_t i = piece; i < piece + most; ++i) {
          const double a = x[i];
          const double b = x[i + half];
          x[i] = a + b;
          x[i + half] = a - b;
        }
      }
    }
  }
  const double scale = 1 / std::sqrt(static_cast<double>(size));
  work.InPieces(size, [&](int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i) x[i] *= scale;
  });
}

// Mixes the numbers that lie `step` apart.
void MixColumn(double* x, int64_t step) {
  std::array<double, kOrder> column;
  for (size_t i = 0; i < kOrder; ++i) column[i] = x[static_cast<int64_t>(i) * step];
  for (size_t row = 0; row < kOrder; ++row) {
    double sum = 0;
    for (size_t i = 0; i < kOrder; ++i) {
      sum += (kMinusSigns[row] >> i & 1) != 0 ? -column[i] : column[i];
    }
    x[static_cast<int64_t>(row) * step] = sum;
  }
}

KernelStatus FastHadamard(const KernelCall& call) {
  constexpr auto kMixed = static_cast<int64_t>(kOrder);
  const Region input = WholeOf(TensorAt(call, 0));
  if (!IsRealType(input.dtype)) return "the input must be a float";
  if (input.rank == 0) return "the input must have a dimension";
  const int64_t count = CountIn(input);
  if (count == 0) return nullptr;
  const int64_t length = input.sizes[input.rank - 1];
  const bool mixes = length % kMixed == 0;
  const int64_t part = mixes ? length / kMixed : length;
  if (!std::has_single_bit(static_cast<uint64_t>(part))) {
    return "the last size must be a power of two, or 28 times one";
  }
  const auto numbers = Packed<double>(input, *call.scratch);
  if (!numbers.given()) return kNoMemory;
  CallWork& work = call.scratch->work();
  for (int64_t at = 0; at < count; at += part) {
    work.TakeProduct(part, static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(part))));
    TransformPairs(numbers.Part(at, part).data(), part, work);
  }
  for (int64_t row = 0; mixes && row < count; row += length) {
    work.TakeProduct(length, kMixed);
    const auto whole = numbers.Part(row, length);
    for (int64_t i = 0; i < part; ++i) {
      work.Pass(kMixed * kMixed);
      MixColumn(whole.data() + i, part);
    }
  }
  StorePacked(numbers, WholeOf(OutOf(call)));
  return nullptr;
}

constexpr Kernel kHadamardKernels[] = {
    {"llama::fast_hadamard_transform.out", AsFirst, FastHadamard},
};

}  // namespace

std::span<const Kernel> HadamardKernels() {
  return kHadamardKernels;
}

}  // namespace pteproof::kernels
