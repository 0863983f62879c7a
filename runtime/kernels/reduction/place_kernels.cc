// Operators that find where the largest or smallest element lies.
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/reduction/reduce.h"

namespace pteproof::kernels {
namespace {

// The first NaN, else the first of the largest or smallest numbers.
template <bool kLargest, class T>
bool TakesPlace(T number, T best) {
  if constexpr (std::floating_point<T>) {
    if (std::isnan(best)) return false;
    if (std::isnan(number)) return true;
  }
  return kLargest ? number > best : number < best;
}

// The values, where there is a region for them, and the places.
template <class T, bool kLargest>
void FindPlaces(const Region& self, const Region* values, const Region& places, uint32_t dims) {
  const auto groups = GroupsOf<2>(self, dims, {values == nullptr ? places : *values, places});
  ForEachPlace(groups.results, [&](const auto& at) {
    T best = LoadOne<T>(self.dtype, at[0]);
    int64_t place = 0;
    int64_t i = 0;
    ForEachMember<T>(self.dtype, groups.members, at[0], [&](const T* numbers, int64_t count) {
      for (int64_t k = 0; k < count; ++k, ++i) {
        if (!TakesPlace<kLargest>(numbers[k], best)) continue;
        best = numbers[k];
        place = i;
      }
    });
    if (values != nullptr) StoreOne(values->dtype, best, at[1]);
    StoreOne(places.dtype, place, at[2]);
  });
}

template <bool kLargest>
KernelStatus FindExtremes(const KernelCall& call, const Region* values) {
  const TensorRef& tensor = TensorAt(call, 0);
  const Region self = WholeOf(tensor);
  const Region places = WholeOf(OutOf(call));
  uint32_t dims = 0;
  const KernelStatus status = ReducedDims(call, 1, self.rank, dims);
  if (status != nullptr) return status;
  if (IsComplexType(self.dtype)) return "complex numbers have no order";
  if (ElementCount(tensor) == 0) {
    return ElementCount(OutOf(call)) == 0 ? nullptr : "of no elements none is the largest";
  }
  if (IsRealType(self.dtype)) {
    FindPlaces<double, kLargest>(self, values, places, dims);
  } else {
    FindPlaces<int64_t, kLargest>(self, values, places, dims);
  }
  return nullptr;
}

template <bool kLargest>
KernelStatus PlaceOnly(const KernelCall& call) {
  return FindExtremes<kLargest>(call, nullptr);
}

template <bool kLargest>
KernelStatus ValueAndPlace(const KernelCall& call) {
  const Region values = WholeOf(TensorAt(call, 3));
  return FindExtremes<kLargest>(call, &values);
}

constexpr Kernel kPlaceKernels[] = {
    {"aten::argmax.out", AsReduced<1, 2, 3>, PlaceOnly<true>},
    {"aten::argmin.out", AsReduced<1, 2, 3>, PlaceOnly<false>},
    {"aten::max.dim_max", AsReduced<1, 2, 3>, ValueAndPlace<true>},
    {"aten::min.dim_min", AsReduced<1, 2, 3>, ValueAndPlace<false>},
};

}  // namespace

std::span<const Kernel> PlaceKernels() {
  return kPlaceKernels;
}

}  // namespace pteproof::kernels
