// Products of matrices as their kernels see them.
#ifndef PTEPROOF_RUNTIME_KERNELS_PRODUCT_PRODUCT_H_
#define PTEPROOF_RUNTIME_KERNELS_PRODUCT_PRODUCT_H_

#include <concepts>
#include <cstdint>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/scratch.h"

namespace pteproof::kernels {

// Strides are in bytes.
struct Matrix {
  ScalarType dtype = ScalarType::kUInt8;
  CheckedPointer data;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t row_stride = 0;
  int64_t column_stride = 0;

  [[nodiscard]] CheckedPointer At(int64_t row, int64_t column) const {
    return data + row * row_stride + column * column_stride;
  }
};

struct Factor {
  int64_t integer = 0;
  double real = 0;
};

constexpr Factor kOnce = {1, 1};

// The result of a product: what was there for each element, times beta, is added to it.
struct Target {
  Matrix out;
  Matrix bias;  // of `out`'s sizes; no data: none
  Factor alpha;
  Factor beta;

  template <class T>
  void Put(int64_t row, int64_t column, T sum) const {
    if (bias.data.given()) {
      const T added = LoadOne<T>(bias.dtype, bias.At(row, column));
      if constexpr (std::integral<T>) {
        sum = WrappedSum(WrappedProduct(alpha.integer, sum), WrappedProduct(beta.integer, added));
      } else {
        sum = alpha.real * sum + (beta.real == 0 ? T(0) : beta.real * added);
      }
    }
    StoreOne(out.dtype, sum, out.At(row, column));
  }
};

// Where both factors are of float32. False: nothing is done, since there is not enough memory, or
// they are of other types.
[[nodiscard]] bool MultiplySingle(const Matrix& a, const Matrix& b, const Target& target,
                                  Scratch& scratch);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_PRODUCT_PRODUCT_H_
