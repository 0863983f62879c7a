// Operators that order elements or find the extreme one, and running sums.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/reduction.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// Ascending, NaN after all others.
bool ComesBefore(const TensorValue& t, int64_t a, int64_t b) {
  if (IsFloat(t.dtype)) return RealAt(t, a) < RealAt(t, b) || (IsNanAt(t, b) && !IsNanAt(t, a));
  if (t.dtype == ScalarType::kUInt64) {
    return static_cast<uint64_t>(IntAt(t, a)) < static_cast<uint64_t>(IntAt(t, b));
  }
  return IntAt(t, a) < IntAt(t, b);
}

// --- The extreme element: the first NaN, else the first of the largest or smallest ones.

template <bool kLargest>
bool Beats(const TensorValue& t, int64_t a, int64_t b) {
  if (IsNanAt(t, a) || IsNanAt(t, b)) return !IsNanAt(t, b);
  return kLargest ? ComesBefore(t, b, a) : ComesBefore(t, a, b);
}

// The sizes that remain, with an index of the removed dimensions.
Types PlaceType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dims = ReducedDimensions(call);
  if (!dims) return std::string(kNoDimension);
  if (IsComplex(self.dtype)) return std::string("complex numbers have no order");
  return OneResult(ScalarType::kInt64, Reduced(self.sizes, *dims, BoolAt(call, 2)));
}

Types ValueAndPlaceType(const TypeCall& call) {
  const Types index = PlaceType(call);
  if (!index.ok()) return index;
  TensorType values = index.value().front();
  values.dtype = TensorAt(call, 0).dtype;
  return std::vector<TensorType>{std::move(values), index.value().front()};
}

// Stores the values, if asked for, and the indices.
template <bool kLargest>
std::string Extreme(const Call& call, TensorValue* values, TensorValue& indices) {
  const TensorValue& self = TensorAt(call, 0);
  bool empty = false;
  ForEachGroup(self.sizes, ReducedDimensions(call).value_or(std::vector<bool>()),
               [&](int64_t o, const Members& members) {
                 empty = members.size() == 0;
                 size_t best = 0;
                 for (size_t j = 1; j < members.size(); ++j) {
                   if (Beats<kLargest>(self, members[j], members[best])) best = j;
                 }
                 if (!empty && values != nullptr) CopyElement(self, members[best], *values, o);
                 SetInt(indices, o, static_cast<int64_t>(best));
               });
  return empty ? "nothing is the extreme of no elements" : "";
}

template <bool kLargest>
std::string ExtremeIndex(const Call& call, std::span<TensorValue> results) {
  return Extreme<kLargest>(call, nullptr, results[0]);
}

template <bool kLargest>
std::string ExtremeAndIndex(const Call& call, std::span<TensorValue> results) {
  return Extreme<kLargest>(call, results.data(), results[1]);
}

// --- Along one dimension.

// Calls each(members, place) for each line along dimension `dim`; place(j) is its element j in a
// result whose lines have `length` of them.
template <class Each>
void ForEachLine(const TensorValue& self, size_t dim, int64_t length, Each each) {
  // Without elements there may still be more lines than can be walked.
  if (ElementCount(self) == 0) return;
  std::vector<bool> along(std::max<size_t>(self.sizes.size(), 1), false);
  along[dim] = true;
  int64_t inner = 1;
  for (size_t d = dim + 1; d < self.sizes.size(); ++d) inner *= self.sizes[d];
  ForEachGroup(self.sizes, along, [&](int64_t o, const Members& members) {
    each(members, [=](size_t j) {
      return (o / inner * length + static_cast<int64_t>(j)) * inner + o % inner;
    });
  });
}

// Stores those elements of a line, in that order, with their places in it.
template <class Place>
void StoreLine(const TensorValue& self, const Members& members, std::span<const size_t> order,
               Place place, std::span<TensorValue> results) {
  for (size_t j = 0; j < order.size(); ++j) {
    CopyElement(self, members[order[j]], results[0], place(j));
    SetInt(results[1], place(j), static_cast<int64_t>(order[j]));
  }
}

// Comparisons, each of two elements.
int64_t CostOfSorting(size_t size) {
  const auto count = static_cast<int64_t>(size);
  return CappedProduct({count, 2 * static_cast<int64_t>(std::bit_width(size))});
}

// Values and indices of equal sizes.
Types OrderedType(const TensorType& self, SizeList sizes) {
  if (IsComplex(self.dtype)) return std::string("complex numbers have no order");
  return std::vector<TensorType>{{self.dtype, sizes}, {ScalarType::kInt64, sizes}};
}

Types SortType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  if (!DimensionAt(call, 1, self.rank())) return std::string(kNoDimension);
  return OrderedType(self, self.sizes);
}

// Equal elements stay in their order.
std::string Sort(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const bool descending = BoolAt(call, 2);
  const size_t dim = DimensionIn(call, 1, self.sizes.size());
  const int64_t length = self.sizes.empty() ? 1 : self.sizes[dim];
  ForEachLine(self, dim, length, [&](const Members& members, auto place) {
    Numbers<size_t> order(members.size());
    std::iota(order.begin(), order.end(), size_t{0});
    Paced pace(CostOfSorting(members.size()));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      pace.Step();
      const size_t low = descending ? b : a;
      const size_t high = descending ? a : b;
      if (ComesBefore(self, members[low], members[high])) return true;
      return a < b && !ComesBefore(self, members[high], members[low]);
    });
    StoreLine(self, members, order, place, results);
  });
  return {};
}

Types TopkType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dim = DimensionAt(call, 2, self.rank());
  if (!dim) return std::string(kNoDimension);
  const SizeExpr& k = IntAt(call, 1);
  const SizeExpr size = self.sizes.empty() ? SizeExpr(1) : self.sizes[*dim];
  const auto rest = (size - k).Constant();
  if (k.Constant().value_or(0) < (self.sizes.empty() ? 1 : 0) || (rest && *rest < 0)) {
    return std::string("k is out of range");
  }
  SizeList sizes = self.sizes;
  if (!sizes.empty()) sizes[*dim] = k;
  return OrderedType(self, std::move(sizes));
}

// The first k in that order. Which of equal elements, and in what order when unsorted, is what the
// kernels get from the standard library's selection: they must be matched in their indices.
template <class Before>
void SelectFirst(Numbers<size_t>& order, size_t k, bool sorted, Before before) {
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(k);
  if (k * 64 <= order.size()) {
    std::partial_sort(order.begin(), end, order.end(), before);
  } else {
    std::nth_element(order.begin(), end - 1, order.end(), before);
    if (sorted) std::sort(order.begin(), end - 1, before);
  }
  order.resize(k);
}

std::string Topk(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto k = static_cast<size_t>(IntAt(call, 1));
  const bool largest = BoolAt(call, 3);
  if (ElementCount(results[0]) == 0) return {};
  const size_t dim = DimensionIn(call, 2, self.sizes.size());
  ForEachLine(self, dim, IntAt(call, 1), [&](const Members& members, auto place) {
    Numbers<size_t> order(members.size());
    std::iota(order.begin(), order.end(), size_t{0});
    Paced pace(CostOfSorting(members.size()));
    SelectFirst(order, k, BoolAt(call, 4), [&](size_t a, size_t b) {
      pace.Step();
      return largest ? ComesBefore(self, members[b], members[a])
                     : ComesBefore(self, members[a], members[b]);
    });
    StoreLine(self, members, order, place, results);
  });
  return {};
}

// --- Running sums.

// Integers and bool sum to int64 unless a type is asked for.
Types CumsumType(const TypeCall& call) {
  TensorType type = TensorAt(call, 0);
  if (!DimensionAt(call, 1, type.rank())) return std::string(kNoDimension);
  if (!IsFloat(type.dtype) && !IsComplex(type.dtype)) type.dtype = ScalarType::kInt64;
  if (!IsNone(call, 2)) {
    const auto asked = ConstantAt(call, 2);
    if (!asked || *asked < 0 || *asked > 29) return std::string("dtype is not an element type");
    type.dtype = static_cast<ScalarType>(*asked);
  }
  return OneResult(std::move(type));
}

// The elements are converted first, then added.
std::string Cumsum(const Call& call, std::span<TensorValue> results) {
  const TensorValue self = Converted(TensorAt(call, 0), results[0].dtype);
  const size_t dim = DimensionIn(call, 1, self.sizes.size());
  const int64_t length = self.sizes.empty() ? 1 : self.sizes[dim];
  WithNumbers(self.dtype, [&]<class T>(T) {
    ForEachLine(self, dim, length, [&](const Members& members, auto place) {
      T sum{};
      for (size_t j = 0; j < members.size(); ++j) {
        sum += Element<T>(self, members[j]);
        SetElement(results[0], place(j), sum);
      }
    });
  });
  return {};
}

constexpr OpMeaning kOrderMeanings[] = {
    Exact("aten::argmax.out", PlaceType, ExtremeIndex<true>),
    Exact("aten::argmin.out", PlaceType, ExtremeIndex<false>),
    Exact("aten::max.dim_max", ValueAndPlaceType, ExtremeAndIndex<true>),
    Exact("aten::min.dim_min", ValueAndPlaceType, ExtremeAndIndex<false>),
    Exact("aten::sort.values", SortType, Sort),
    Exact("aten::topk.values", TopkType, Topk),
    {.name = "aten::cumsum.out",
     .types = CumsumType,
     .run = Cumsum,
     .closeness = Closeness::kRounded,
     .reason = "kernels round each sum to the type, the reference sums in double"},
};

}  // namespace

std::span<const OpMeaning> OrderMeanings() {
  return kOrderMeanings;
}

}  // namespace pteproof
