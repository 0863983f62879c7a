// Products of matrices.
#include <algorithm>
#include <array>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/elementwise/elementwise.h"
#include "runtime/kernels/product/product.h"

namespace pteproof::kernels {
namespace {

constexpr KernelStatus kMisfit = "the operands' sizes do not match";

// The last two dimensions.
Matrix MatrixOf(const Region& region) {
  const size_t d = region.rank - 2;
  return {region.dtype,        region.data,       region.sizes[d],
          region.sizes[d + 1], region.strides[d], region.strides[d + 1]};
}

// Any types and strides: each element by itself.
template <class T>
void MultiplyPlain(const Matrix& a, const Matrix& b, const Target& target) {
  std::array<T, kBlock> left;
  std::array<T, kBlock> right;
  for (int64_t row = 0; row < a.rows; ++row) {
    for (int64_t column = 0; column < b.columns; ++column) {
      T sum = T();
      for (int64_t k = 0; k < a.columns; k += kBlock) {
        const int64_t count = std::min(kBlock, a.columns - k);
        LoadBlock(a.dtype, a.At(row, k), a.column_stride, count, left.data());
        LoadBlock(b.dtype, b.At(k, column), b.row_stride, count, right.data());
        for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
          if constexpr (std::integral<T>)
            sum = WrappedSum(sum, WrappedProduct(left[i], right[i]));
          else
            sum += left[i] * right[i];
        }
      }
      target.Put(row, column, sum);
    }
  }
}

void Multiply(const Matrix& a, const Matrix& b, const Target& target, Scratch& scratch) {
  scratch.work().Take(1);
  if (a.rows == 0 || b.columns == 0) return;
  if (MultiplySingle(a, b, target, scratch)) return;
  if (IsComplexType(a.dtype)) return MultiplyPlain<Complex>(a, b, target);
  if (IsRealType(a.dtype)) return MultiplyPlain<double>(a, b, target);
  MultiplyPlain<int64_t>(a, b, target);
}

// Arguments `first` and the next one, of that rank, give the last one.
template <size_t kFirst, size_t kRank>
KernelStatus SizesOfProduct(const KernelCall& call) {
  const TensorRef& a = TensorAt(call, kFirst);
  const TensorRef& b = TensorAt(call, kFirst + 1);
  if (a.rank() != kRank || b.rank() != kRank || a.sizes[kRank - 1] != b.sizes[kRank - 2]) {
    return kMisfit;
  }
  if (kRank == 3 && a.sizes[0] != b.sizes[0]) return kMisfit;
  SizeArray sizes = {};
  for (size_t d = 0; d + 1 < kRank; ++d) sizes[d] = a.sizes[d];
  sizes[kRank - 1] = b.sizes[kRank - 1];
  return Resize(OutOf(call), std::span(sizes).first(kRank));
}

KernelStatus Mm(const KernelCall& call) {
  const Matrix a = MatrixOf(WholeOf(TensorAt(call, 0)));
  const Matrix b = MatrixOf(WholeOf(TensorAt(call, 1)));
  if (a.dtype != b.dtype) return "the operands have different element types";
  Multiply(a, b, {MatrixOf(WholeOf(OutOf(call))), {}, {}, {}}, *call.scratch);
  return nullptr;
}

KernelStatus Bmm(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  if (self.dtype != TensorAt(call, 1).dtype) return "the operands have different element types";
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  for (int64_t n = 0; n < self.sizes[0]; ++n) {
    std::array<Region, 3> parts = {WholeOf(self), WholeOf(TensorAt(call, 1)), WholeOf(OutOf(call))};
    for (Region& part : parts) Select(part, 0, n);
    call.scratch->TakeBack();
    Multiply(MatrixOf(parts[0]), MatrixOf(parts[1]), {MatrixOf(parts[2]), {}, {}, {}},
             *call.scratch);
  }
  return nullptr;
}

Factor FactorAt(const KernelCall& call, size_t a) {
  LoneElement slot;
  const ElementNumber number = NumberOf(*call.args[a]);
  StoreElement(ScalarType::kInt64, slot.bytes(), number);
  const double real = number.is_real ? number.real : static_cast<double>(number.integer);
  return {LoadOne<int64_t>(ScalarType::kInt64, slot.pointer()), real};
}

// beta * self + alpha * product; with a beta of 0 self counts for nothing, be it NaN.
KernelStatus Addmm(const KernelCall& call) {
  const Matrix a = MatrixOf(WholeOf(TensorAt(call, 1)));
  const Matrix b = MatrixOf(WholeOf(TensorAt(call, 2)));
  const Region out = WholeOf(OutOf(call));
  Region bias = WholeOf(TensorAt(call, 0));
  if (a.dtype != b.dtype || a.dtype != bias.dtype) {
    return "the operands have different element types";
  }
  if (!Spread(bias, out)) return kMisfit;
  Multiply(a, b, {MatrixOf(out), MatrixOf(bias), FactorAt(call, 4), FactorAt(call, 3)},
           *call.scratch);
  return nullptr;
}

// Rows of the input times rows of the weight; the input's other dimensions are all rows.
KernelStatus SizesOfLinear(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  const TensorRef& weight = TensorAt(call, 1);
  if (sizes.rank == 0 || weight.rank() != 2 || sizes.sizes[sizes.rank - 1] != weight.sizes[1]) {
    return kMisfit;
  }
  sizes.sizes[sizes.rank - 1] = weight.sizes[0];
  return ResizeTo(OutOf(call), sizes);
}

KernelStatus Linear(const KernelCall& call) {
  Region input = WholeOf(TensorAt(call, 0));
  Region out = WholeOf(OutOf(call));
  Region bias = {};
  const Region weight = WholeOf(TensorAt(call, 1));
  const TensorRef* added = TensorOrNull(call, 2);
  if (added != nullptr) bias = WholeOf(*added);
  if (added != nullptr && (bias.rank != 1 || !Spread(bias, out))) return kMisfit;
  if (input.dtype != weight.dtype || (added != nullptr && bias.dtype != weight.dtype)) {
    return "the operands have different element types";
  }
  const size_t last = input.rank - 1;
  const Matrix turned = {weight.dtype,    weight.data,       weight.sizes[1],
                         weight.sizes[0], weight.strides[1], weight.strides[0]};
  Matrix from = {input.dtype, {}, 1, input.sizes[last], 0, input.strides[last]};
  Matrix to = {out.dtype, {}, 1, out.sizes[last], 0, out.strides[last]};
  Matrix shift = {bias.dtype, bias.data, 1, out.sizes[last], 0, bias.strides[last]};
  input.rank = out.rank = last;
  // Rows that are equally far apart are one matrix.
  Together<2> rows = Joined(Walked<2>({input, out}));
  const size_t inner = rows.rank - 1;
  from.rows = to.rows = shift.rows = rows.sizes[inner];
  from.row_stride = rows.strides[0][inner];
  to.row_stride = rows.strides[1][inner];
  rows.sizes[inner] = std::min<int64_t>(rows.sizes[inner], 1);
  ForEachPlace(rows, [&](const auto& at) {
    from.data = at[0];
    to.data = at[1];
    call.scratch->TakeBack();
    Multiply(from, turned, {to, shift, kOnce, kOnce}, *call.scratch);
  });
  return nullptr;
}

constexpr Kernel kProductKernels[] = {
    {"aten::mm.out", SizesOfProduct<0, 2>, Mm},
    {"aten::bmm.out", SizesOfProduct<0, 3>, Bmm},
    {"aten::linear.out", SizesOfLinear, Linear},
    {"aten::addmm.out", SizesOfProduct<1, 2>, Addmm},
};

}  // namespace

std::span<const Kernel> ProductKernels() {
  return kProductKernels;
}

}  // namespace pteproof::kernels
