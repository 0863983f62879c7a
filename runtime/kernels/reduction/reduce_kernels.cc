// Reductions: sums, means, products, variances, `any`, and the largest and smallest values.
#include <algorithm>
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/reduction/reduce.h"

namespace pteproof::kernels {
namespace {

constexpr size_t kNoArgument = ~size_t{0};  // of an operator without such an argument

// Folds make one number out of those of a group, from a first one on, in one of these types:
// floats are summed up in double.
struct AddUp {
  template <class T>
  static T First(ScalarType) {
    return T();
  }
  template <class T>
  static T Join(T total, const T* numbers, int64_t count, ScalarType) {
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::integral<T>)
        total = WrappedSum(total, numbers[i]);
      else
        total += numbers[i];
    }
    return total;
  }
};

// A partial product that float32 does not hold stays infinite, however small the next factors are.
struct MultiplyUp {
  template <class T>
  static T First(ScalarType) {
    return T(1);
  }
  template <class T>
  static T Join(T total, const T* numbers, int64_t count, ScalarType result) {
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::integral<T>) {
        total = WrappedProduct(total, numbers[i]);
      } else {
        total *= numbers[i];
        if (result != ScalarType::kFloat64) RoundBlock(ScalarType::kFloat32, &total, 1);
      }
    }
    return total;
  }
};

struct LookForTrue {
  template <class T>
  static T First(ScalarType) {
    return T();
  }
  template <class T>
  static T Join(T total, const T* numbers, int64_t count, ScalarType) {
    for (int64_t i = 0; i < count; ++i) total = total != T() || numbers[i] != T() ? T(1) : T();
    return total;
  }
};

template <class T, class Fold>
KernelStatus FoldGroups(const Region& self, const Region& out, uint32_t dims, bool by_count) {
  const auto groups = GroupsOf<1>(self, dims, {out});
  ForEachPlace(groups.results, [&](const auto& at) {
    T total = Fold::template First<T>(out.dtype);
    ForEachMember<T>(self.dtype, groups.members, at[0], [&](const T* numbers, int64_t count) {
      total = Fold::Join(total, numbers, count, out.dtype);
    });
    if constexpr (!std::integral<T>) {
      if (by_count) total /= static_cast<double>(groups.size);
    }
    StoreOne(out.dtype, total, at[1]);
  });
  return nullptr;
}

template <class Fold, size_t kDim>
KernelStatus ReduceIn(const KernelCall& call, ScalarType computed, bool by_count) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  uint32_t dims = ~0U;
  if constexpr (kDim != kNoArgument) {
    const KernelStatus status = ReducedDims(call, kDim, self.rank, dims);
    if (status != nullptr) return status;
  }
  if (IsComplexType(computed)) {
    if constexpr (std::is_same_v<Fold, AddUp>) {
      return FoldGroups<Complex, Fold>(self, out, dims, by_count);
    }
    return "it is not defined for complex elements";
  }
  if (IsRealType(computed)) return FoldGroups<double, Fold>(self, out, dims, by_count);
  return FoldGroups<int64_t, Fold>(self, out, dims, by_count);
}

// In the result's kind of number.
template <class Fold, size_t kDim>
KernelStatus Reduce(const KernelCall& call) {
  return ReduceIn<Fold, kDim>(call, OutOf(call).dtype, false);
}
template <size_t kDim>
KernelStatus Mean(const KernelCall& call) {
  if (IsIntegerType(OutOf(call).dtype)) return "the mean of integers is not an integer";
  return ReduceIn<AddUp, kDim>(call, OutOf(call).dtype, true);
}
template <size_t kDim>
KernelStatus Any(const KernelCall& call) {
  return ReduceIn<LookForTrue, kDim>(call, TensorAt(call, 0).dtype, false);
}

// An empty list of dimensions, unlike None, reduces over none.
bool ReducesNothing(const KernelCall& call) {
  return !IsNone(call, 1) && call.args[1]->items.empty();
}

KernelStatus AnyOfDims(const KernelCall& call) {
  if (!ReducesNothing(call)) return Any<1>(call);
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  if (IsComplexType(self.dtype)) return "it is not defined for complex elements";
  return IsRealType(self.dtype) ? FoldGroups<double, LookForTrue>(self, out, 0, false)
                                : FoldGroups<int64_t, LookForTrue>(self, out, 0, false);
}

KernelStatus SizesOfAny(const KernelCall& call) {
  return ReducesNothing(call) ? AsFirst(call) : AsReduced<1, 2, 3>(call);
}

// A NaN is both the largest and the smallest.
template <class T, bool kLargest>
void FoldExtremes(const Region& self, const Region& out, uint32_t dims) {
  const auto groups = GroupsOf<1>(self, dims, {out});
  ForEachPlace(groups.results, [&](const auto& at) {
    T best = LoadOne<T>(self.dtype, at[0]);
    ForEachMember<T>(self.dtype, groups.members, at[0], [&](const T* numbers, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        best = kLargest ? LargerOrNan(best, numbers[i]) : SmallerOrNan(best, numbers[i]);
      }
    });
    StoreOne(out.dtype, best, at[1]);
  });
}

template <bool kLargest, size_t kDim>
KernelStatus Extreme(const KernelCall& call) {
  const TensorRef& tensor = TensorAt(call, 0);
  const Region self = WholeOf(tensor);
  const Region out = WholeOf(OutOf(call));
  uint32_t dims = ~0U;
  if constexpr (kDim != kNoArgument) {
    const KernelStatus status = ReducedDims(call, kDim, self.rank, dims);
    if (status != nullptr) return status;
  }
  if (IsComplexType(self.dtype)) return "complex numbers have no order";
  if (ElementCount(tensor) == 0) {
    return ElementCount(OutOf(call)) == 0 ? nullptr : "of no elements none is the largest";
  }
  if (IsRealType(self.dtype)) {
    FoldExtremes<double, kLargest>(self, out, dims);
  } else {
    FoldExtremes<int64_t, kLargest>(self, out, dims);
  }
  return nullptr;
}

// --- Variance.

// Two walks over each group: the mean, then the squares of what is off it. A divisor below 0 counts
// as 0.
template <size_t kOuts>
void Variances(const Region& self, const std::array<Region, kOuts>& outs, uint32_t dims,
               double correction) {
  const auto groups = GroupsOf<kOuts>(self, dims, outs);
  const auto size = static_cast<double>(groups.size);
  ForEachPlace(groups.results, [&](const auto& at) {
    double mean = 0;
    double squares = 0;
    ForEachMember<double>(self.dtype, groups.members, at[0], [&](const double* x, int64_t count) {
      mean = AddUp::Join(mean, x, count, self.dtype);
    });
    mean /= size;
    ForEachMember<double>(self.dtype, groups.members, at[0], [&](const double* x, int64_t count) {
      for (int64_t i = 0; i < count; ++i) squares += (x[i] - mean) * (x[i] - mean);
    });
    StoreOne(outs[0].dtype, squares / std::max(0.0, size - correction), at[1]);
    if constexpr (kOuts > 1) StoreOne(outs[1].dtype, mean, at[2]);
  });
}

// kCorrection: a number or None, or whether there is one (unbiased). kOut: the first result.
template <size_t kCorrection, size_t kOut, size_t kOuts>
KernelStatus Variance(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  if (!IsRealType(self.dtype)) return "self must be of floats";
  uint32_t dims = 0;
  const KernelStatus status = ReducedDims(call, 1, self.rank, dims);
  if (status != nullptr) return status;
  const RunValue& given = *call.args[kCorrection];
  double correction = 1;
  if (given.kind == ValueKind::kDouble) correction = given.real;
  if (given.kind == ValueKind::kInt || given.kind == ValueKind::kBool) {
    correction = static_cast<double>(given.integer);
  }
  std::array<Region, kOuts> outs;
  for (size_t k = 0; k < kOuts; ++k) outs[k] = WholeOf(TensorAt(call, kOut + k));
  Variances<kOuts>(self, outs, dims, correction);
  return nullptr;
}

constexpr Kernel kReduceKernels[] = {
    {"aten::amax.out", AsReduced<1, 2, 3>, Extreme<true, 1>},
    {"aten::amin.out", AsReduced<1, 2, 3>, Extreme<false, 1>},
    {"aten::max.unary_out", AsOneElement<1>, Extreme<true, kNoArgument>},
    {"aten::min.unary_out", AsOneElement<1>, Extreme<false, kNoArgument>},
    {"aten::any.all_out", AsOneElement<1>, Any<kNoArgument>},
    {"aten::any.out", AsReduced<1, 2, 3>, Any<1>},
    {"aten::any.dims_out", SizesOfAny, AnyOfDims},
    {"aten::mean.dtype_out", AsOneElement<2>, Mean<kNoArgument>},
    {"aten::mean.out", AsReduced<1, 2, 4>, Mean<1>},
    {"aten::prod.out", AsOneElement<2>, Reduce<MultiplyUp, kNoArgument>},
    {"aten::prod.int_out", AsReduced<1, 2, 4>, Reduce<MultiplyUp, 1>},
    {"aten::sum.IntList_out", AsReduced<1, 2, 4>, Reduce<AddUp, 1>},
    {"aten::var.out", AsReduced<1, 3, 4>, Variance<2, 4, 1>},
    {"aten::var.correction_out", AsReduced<1, 3, 4>, Variance<2, 4, 1>},
    {"aten::var_mean.correction_out", AsReduced<1, 3, 4>, Variance<2, 4, 2>},
};

}  // namespace

std::span<const Kernel> ReduceKernels() {
  return kReduceKernels;
}

}  // namespace pteproof::kernels
