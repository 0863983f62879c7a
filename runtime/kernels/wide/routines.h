// The inner loops that time is spent in, on float32. They are compiled once for any processor and
// once for those that have AVX2 and FMA; which of the two is used is found out when the program
// runs. Numbers may lie at any address where they are given as bytes.
#ifndef PTEPROOF_RUNTIME_KERNELS_WIDE_ROUTINES_H_
#define PTEPROOF_RUNTIME_KERNELS_WIDE_ROUTINES_H_

#include <cstddef>
#include <cstdint>

namespace pteproof::kernels {

// Some sums of a product: rows from `row` on, columns from `column` on.
struct ProductTile {
  int64_t row = 0;
  int64_t column = 0;
  int64_t rows = 0;
  int64_t columns = 0;
  const float* sums = nullptr;
  int64_t stride = 0;  // from one row of `sums` to the next
};

// A product of matrices: [rows, inner] times [inner, columns], panel by panel. A panel is `width`
// columns of the right factor, row behind row.
struct ProductJob {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t inner = 0;
  const std::byte* left = nullptr;
  int64_t left_row = 0;  // bytes from one row to the next
  int64_t left_step = 0;
  const void* context = nullptr;
  // Lays out columns [column, column + columns) of the right factor; what is beyond them is open.
  void (*fetch)(const void* context, int64_t column, int64_t columns, int64_t width,
                float* panel) = nullptr;
  void (*put)(const void* context, const ProductTile& tile) = nullptr;
  float* panel = nullptr;  // inner * width numbers
};

// A matrix whose rows become columns: elements of four bytes, those of a row of `from` side by
// side, and those of a row of `to`, too. Strides are bytes from one row to the next.
struct TurnJob {
  const std::byte* from = nullptr;  // `across` rows of `down` elements
  std::byte* to = nullptr;          // `down` rows of `across` elements
  int64_t from_stride = 0;
  int64_t to_stride = 0;
  int64_t down = 0;
  int64_t across = 0;
};

using MapRoutine = void (*)(const float* from, float* to, int64_t count);

struct Routines {
  int64_t width = 0;  // of a product's panel
  void (*multiply)(const ProductJob& job) = nullptr;
  // to[i] += factors[0] * rows[0][i] + factors[1] * rows[1][i] + ...
  void (*weigh)(const std::byte* const* rows, const float* factors, int64_t taps, int64_t count,
                float* to) = nullptr;
  // a[0] * b[0] + a[1] * b[1] + ...
  float (*dot)(const std::byte* a, const std::byte* b, int64_t count) = nullptr;
  void (*turn)(const TurnJob& job) = nullptr;
  // Of no numbers -inf; NaN does not count.
  float (*largest)(const float* from, int64_t count) = nullptr;
  // to[i] = exp(from[i] - shift); gives their sum.
  double (*exp_sum)(const float* from, float shift, float* to, int64_t count) = nullptr;
  MapRoutine exp = nullptr;
  MapRoutine sigmoid = nullptr;
  MapRoutine tanh = nullptr;
  MapRoutine gelu = nullptr;
  MapRoutine gelu_by_tanh = nullptr;
};

[[nodiscard]] const Routines& PlainRoutines();
// Null: this processor, or the compiler, does not have them.
[[nodiscard]] const Routines* Avx2Routines();
// What kernels use: the latter where they are there, unless the environment has PTEPROOF_PLAIN.
[[nodiscard]] const Routines& BestRoutines();

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_WIDE_ROUTINES_H_
