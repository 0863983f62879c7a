// Distances between rows: the p-norm of their difference.
#include <array>
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"

namespace pteproof::kernels {
namespace {

constexpr KernelStatus kNegativeP = "p must not be negative";

// A power takes as long as some other elements do.
int64_t CostOfTerm(double p) {
  const bool simple = p == 0 || p == 1 || p == 2 || std::isinf(p);
  return simple ? 1 : 8;
}

// Calls add(difference) for the elements of two rows.
template <class Add>
void ForDifferences(const LentNumbers<double>& of_a, const LentNumbers<double>& of_b,
                    CallWork& work, const Add& add) {
  const double* a = of_a.data();
  const double* b = of_b.data();
  work.InPieces(of_a.size(), [&](int64_t first, int64_t count) {
    for (int64_t i = first; i < first + count; ++i) add(a[i] - b[i]);
  });
}

// p 0 counts the elements that differ, infinity takes the largest difference.
double DistanceOf(const LentNumbers<double>& a, const LentNumbers<double>& b, double p,
                  CallWork& work) {
  double total = 0;
  if (p == 2) {
    ForDifferences(a, b, work, [&](double gap) { total += gap * gap; });
    return std::sqrt(total);
  }
  if (p == 1) {
    ForDifferences(a, b, work, [&](double gap) { total += std::abs(gap); });
    return total;
  }
  if (std::isinf(p)) {
    ForDifferences(a, b, work, [&](double gap) { total = LargerOrNan(std::abs(gap), total); });
    return total;
  }
  if (p == 0) {
    ForDifferences(a, b, work, [&](double gap) { total += gap == 0 ? 0 : 1; });
    return total;
  }
  ForDifferences(a, b, work, [&](double gap) { total += std::pow(std::abs(gap), p); });
  return std::pow(total, 1 / p);
}

double ExponentAt(const KernelCall& call, size_t a) {
  const ElementNumber number = NumberOf(*call.args[a]);
  return number.is_real ? number.real : static_cast<double>(number.integer);
}

// The sizes of a batch of matrices without the matrices.
Region BatchOf(Region region) {
  region.rank -= 2;
  return region;
}

KernelStatus SizesOfCdist(const KernelCall& call) {
  const Region a = WholeOf(TensorAt(call, 0));
  const Region b = WholeOf(TensorAt(call, 1));
  if (a.rank < 2 || b.rank < 2) return "the operands must have rows";
  if (a.sizes[a.rank - 1] != b.sizes[b.rank - 1]) return "the rows have different lengths";
  Region sizes = a.rank < b.rank ? b : a;
  const Region& shorter = a.rank < b.rank ? a : b;
  for (size_t back = 3; back <= shorter.rank; ++back) {
    int64_t& size = sizes.sizes[sizes.rank - back];
    const int64_t other = shorter.sizes[shorter.rank - back];
    if (size != other && size != 1 && other != 1) return "the operands' sizes do not match";
    if (size == 1) size = other;
  }
  sizes.sizes[sizes.rank - 2] = a.sizes[a.rank - 2];
  sizes.sizes[sizes.rank - 1] = b.sizes[b.rank - 2];
  return ResizeTo(OutOf(call), sizes);
}

// A matrix of a batch, from where it lies.
Region MatrixAt(const Region& batch, CheckedPointer data) {
  const size_t d = batch.rank - 2;
  return {batch.dtype,
          data,
          2,
          {{batch.sizes[d], batch.sizes[d + 1]}},
          {{batch.strides[d], batch.strides[d + 1]}}};
}

KernelStatus Cdist(const KernelCall& call) {
  const Region a = WholeOf(TensorAt(call, 0));
  const Region b = WholeOf(TensorAt(call, 1));
  const Region out = WholeOf(OutOf(call));
  const double p = ExponentAt(call, 2);
  if (!(p >= 0)) return kNegativeP;
  if (!IsRealType(a.dtype) || a.dtype != b.dtype) return "the operands must be floats";
  if (CountIn(out) == 0) return nullptr;
  const Region batch = BatchOf(out);
  Region a_batch = BatchOf(a);
  Region b_batch = BatchOf(b);
  if (!Spread(a_batch, batch) || !Spread(b_batch, batch)) return "the operands' sizes do not match";
  const int64_t length = a.sizes[a.rank - 1];
  bool fits = true;
  ForEachPlace(WalkOf(a_batch, b_batch, batch), [&](const auto& at) {
    call.scratch->TakeBack();
    const auto left = Packed<double>(MatrixAt(a, at[0]), *call.scratch);
    const auto right = Packed<double>(MatrixAt(b, at[1]), *call.scratch);
    fits = fits && left.given() && right.given();
    if (!fits) return;
    const Region to = MatrixAt(out, at[2]);
    for (int64_t i = 0; i < to.sizes[0]; ++i) {
      for (int64_t j = 0; j < to.sizes[1]; ++j) {
        call.scratch->work().TakeProduct(length, CostOfTerm(p));
        StoreOne(to.dtype,
                 DistanceOf(left.Part(i * length, length), right.Part(j * length, length), p,
                            call.scratch->work()),
                 to.data + i * to.strides[0] + j * to.strides[1]);
      }
    }
  });
  return fits ? nullptr : kNoMemory;
}

KernelStatus SizesOfPdist(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  if (self.rank() != 2) return "self must have two dimensions";
  const int64_t rows = self.sizes[0];
  const std::array<int64_t, 1> sizes = {rows * (rows - 1) / 2};
  return Resize(OutOf(call), sizes);
}

// Of each pair of rows.
KernelStatus Pdist(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  const double p = ExponentAt(call, 1);
  if (!(p >= 0)) return kNegativeP;
  if (!IsRealType(self.dtype)) return "self must be of floats";
  const auto rows = Packed<double>(self, *call.scratch);
  if (!rows.given()) return kNoMemory;
  const int64_t length = self.sizes[1];
  CheckedPointer next = out.data;
  for (int64_t i = 0; i < self.sizes[0]; ++i) {
    for (int64_t j = i + 1; j < self.sizes[0]; ++j, next += out.strides[0]) {
      call.scratch->work().TakeProduct(length, CostOfTerm(p));
      const auto row = rows.Part(i * length, length);
      const double distance =
          DistanceOf(row, rows.Part(j * length, length), p, call.scratch->work());
      StoreOne(out.dtype, distance, next);
    }
  }
  return nullptr;
}

constexpr Kernel kDistanceKernels[] = {
    {"aten::_cdist_forward.out", SizesOfCdist, Cdist},
    {"aten::_pdist_forward.out", SizesOfPdist, Pdist},
};

}  // namespace

std::span<const Kernel> DistanceKernels() {
  return kDistanceKernels;
}

}  // namespace pteproof::kernels
