// Operators that order the elements of a line.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/lines.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// A line as numbers, and places in it.
template <class T>
struct Ordering {
  LentNumbers<T> numbers;
  LentNumbers<int64_t> order;
  CallWork* work = nullptr;

  // Ascending, NaN after all others.
  [[nodiscard]] bool Before(int64_t a, int64_t b) const {
    work->Pass();
    const T left = numbers.data()[a];
    const T right = numbers.data()[b];
    if constexpr (std::floating_point<T>) {
      return left < right || (std::isnan(right) && !std::isnan(left));
    }
    return left < right;
  }
};

template <class T>
bool LendOrdering(Scratch& scratch, int64_t length, Ordering<T>& ordering) {
  ordering.work = &scratch.work();
  ordering.numbers = RoomFor<T>(length, scratch);
  ordering.order = RoomFor<int64_t>(length, scratch);
  return ordering.numbers.given() && ordering.order.given();
}

template <class T>
void LoadOrdering(const Line& line, Ordering<T>& ordering) {
  LoadLine(line.dtype, line.data, line.stride, ordering.numbers.Part(0, line.length));
  ordering.work->InPieces(ordering.order.size(), [&](int64_t first, int64_t count) {
    std::iota(ordering.order.data() + first, ordering.order.data() + first + count, first);
  });
}

// As many as the results' lines have.
template <class T>
void StoreOrdering(const Ordering<T>& ordering, const Line& values, const Line& indices) {
  for (int64_t i = 0; i < values.length; ++i) {
    const int64_t place = ordering.order[i];
    StoreOne(values.dtype, ordering.numbers[place], values.At(i));
    StoreOne(indices.dtype, place, indices.At(i));
  }
}

// Equal elements stay in their order.
template <class T>
void SortOrder(Ordering<T>& ordering, bool descending) {
  std::ranges::sort(ordering.order, [&](int64_t a, int64_t b) {
    const int64_t low = descending ? b : a;
    const int64_t high = descending ? a : b;
    if (ordering.Before(low, high)) return true;
    return a < b && !ordering.Before(high, low);
  });
}

// The first k. Which of equal elements, and in what order when unsorted, is what the standard
// library's selection gives, as in ExecuTorch.
template <class T>
void SelectOrder(Ordering<T>& ordering, size_t k, bool largest, bool sorted) {
  const auto before = [&](int64_t a, int64_t b) {
    return largest ? ordering.Before(b, a) : ordering.Before(a, b);
  };
  auto& order = ordering.order;
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(k);
  if (static_cast<int64_t>(k) * 64 <= order.size()) {
    std::partial_sort(order.begin(), end, order.end(), before);
  } else {
    std::nth_element(order.begin(), end - 1, order.end(), before);
    if (sorted) std::sort(order.begin(), end - 1, before);
  }
}

// Orders each line by `arrange`, which says how in argument positions of its own.
template <class T, class Arrange>
KernelStatus OrderLines(const KernelCall& call, int64_t dim, size_t values, size_t indices,
                        const Arrange& arrange) {
  const Region self = WholeOf(TensorAt(call, 0));
  const int64_t length = self.rank == 0 ? 1 : self.sizes[static_cast<size_t>(dim)];
  Ordering<T> ordering;
  if (!LendOrdering(*call.scratch, length, ordering)) return kNoMemory;
  const std::array<Region, 3> regions = {self, WholeOf(TensorAt(call, values)),
                                         WholeOf(TensorAt(call, indices))};
  ForEachLine(regions, dim, [&](const auto& lines) {
    LoadOrdering(lines[0], ordering);
    call.scratch->work().TakeProduct(
        length, static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(length))));
    arrange(ordering);
    StoreOrdering(ordering, lines[1], lines[2]);
  });
  return nullptr;
}

int64_t OrderedDimension(const KernelCall& call, size_t a) {
  return DimensionOf(IntAt(call, a), std::max<size_t>(TensorAt(call, 0).rank(), 1));
}

KernelStatus Sort(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t dim = OrderedDimension(call, 1);
  if (IsComplexType(self.dtype)) return "complex numbers have no order";
  if (ElementCount(self) == 0) return nullptr;
  const bool descending = IntAt(call, 2) != 0;
  const auto arrange = [&](auto& ordering) { SortOrder(ordering, descending); };
  if (IsRealType(self.dtype)) return OrderLines<double>(call, dim, 3, 4, arrange);
  return OrderLines<int64_t>(call, dim, 3, 4, arrange);
}

KernelStatus Topk(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t dim = OrderedDimension(call, 2);
  if (IsComplexType(self.dtype)) return "complex numbers have no order";
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  const auto k = static_cast<size_t>(IntAt(call, 1));
  const bool largest = IntAt(call, 3) != 0;
  const bool sorted = IntAt(call, 4) != 0;
  const auto arrange = [&](auto& ordering) { SelectOrder(ordering, k, largest, sorted); };
  if (IsRealType(self.dtype)) return OrderLines<double>(call, dim, 5, 6, arrange);
  return OrderLines<int64_t>(call, dim, 5, 6, arrange);
}

KernelStatus ResizeValuesAndIndices(const KernelCall& call, const Region& sizes) {
  const size_t last = call.args.size() - 1;
  const KernelStatus status = ResizeTo(TensorAt(call, last - 1), sizes);
  return status != nullptr ? status : ResizeTo(TensorAt(call, last), sizes);
}

KernelStatus SizesOfSort(const KernelCall& call) {
  if (OrderedDimension(call, 1) < 0) return kNoDimension;
  return ResizeValuesAndIndices(call, WholeOf(TensorAt(call, 0)));
}

KernelStatus SizesOfTopk(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  const int64_t dim = OrderedDimension(call, 2);
  const int64_t k = IntAt(call, 1);
  if (dim < 0) return kNoDimension;
  const int64_t length = sizes.rank == 0 ? 1 : sizes.sizes[static_cast<size_t>(dim)];
  if (k < (sizes.rank == 0 ? 1 : 0) || k > length) return "k is out of range";
  if (sizes.rank > 0) sizes.sizes[static_cast<size_t>(dim)] = k;
  return ResizeValuesAndIndices(call, sizes);
}

constexpr Kernel kOrderKernels[] = {
    {"aten::sort.values", SizesOfSort, Sort},
    {"aten::topk.values", SizesOfTopk, Topk},
};

}  // namespace

std::span<const Kernel> OrderKernels() {
  return kOrderKernels;
}

}  // namespace pteproof::kernels
