// Indexing with tensors: integers that name places in a dimension, and masks, one for each index
// operand or None for a dimension that is kept whole.
#include <algorithm>
#include <utility>

#include "reference/evaluate.h"
#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/walk.h"

namespace pteproof {
namespace {

constexpr std::string_view kIndexOrder = "additions to one place come in any order";

// An index operand with the first of self's dimensions that it stands for.
template <class Tensor>
struct Item {
  const Tensor* index = nullptr;
  size_t dim = 0;
};

// How the index operands lie on self's dimensions.
template <class Tensor>
struct Layout {
  std::vector<Item<Tensor>> items;
  std::vector<bool> indexed;  // by dimension
  size_t front = 0;           // so many dimensions of self come before those of the indices
};

bool IsMask(ScalarType type) {
  return type == ScalarType::kBool || type == ScalarType::kUInt8;
}

// Next to each other, the indexed dimensions are replaced where they are; else the indices' own
// dimensions come first.
size_t FrontOf(const std::vector<bool>& indexed) {
  size_t first = 0;
  while (first < indexed.size() && !indexed[first]) ++first;
  size_t end = first;
  while (end < indexed.size() && indexed[end]) ++end;
  for (size_t d = end; d < indexed.size(); ++d) {
    if (indexed[d]) return 0;
  }
  return first;
}

// Of the operands self and indices, 0 and 1.
template <class Arg>
Result<Layout<TensorOfArg<Arg>>, std::string> LayoutOf(const CallOf<Arg>& call) {
  const auto& self = TensorAt(call, 0);
  Layout<TensorOfArg<Arg>> layout;
  for (const auto* index : TensorsAt(call, 1)) {
    const size_t dim = layout.indexed.size();
    const bool mask = index != nullptr && IsMask(index->dtype);
    const size_t covered = mask ? index->sizes.size() : 1;
    if (covered == 0) return std::string("a mask has no dimension");
    if (covered > self.sizes.size() - dim) return std::string("there are too many indices");
    layout.indexed.insert(layout.indexed.end(), covered, index != nullptr);
    if (index == nullptr) continue;
    if (!mask && index->dtype != ScalarType::kInt64 && index->dtype != ScalarType::kInt32) {
      return std::string("an index is neither int32, int64 nor a mask");
    }
    for (size_t d = 0; mask && d < covered; ++d) {
      if (!MayBeEqual(index->sizes[d], self.sizes[dim + d])) {
        return std::string("a mask has other sizes than self");
      }
    }
    layout.items.push_back({index, dim});
  }
  layout.indexed.resize(self.sizes.size(), false);
  layout.front = FrontOf(layout.indexed);
  return layout;
}

// Sizes with the dimensions of the indices in place of the indexed ones.
template <class List, class Tensor>
List Indexed(const List& self, const List& indices, const Layout<Tensor>& layout) {
  List sizes;
  for (size_t d = 0; d <= self.size(); ++d) {
    if (d == layout.front) sizes.insert(sizes.end(), indices.begin(), indices.end());
    if (d < self.size() && !layout.indexed[d]) sizes.push_back(self[d]);
  }
  return sizes;
}

// --- Before a run.

// What the indices broadcast to. A mask is a list of as many places as it has true elements: at
// most all, and at most 1 beside a longer index.
SizesOrFault IndexSizes(const Layout<TensorType>& layout) {
  SizeList sizes;
  std::optional<SizeExpr> most;
  for (const auto& item : layout.items) {
    if (IsMask(item.index->dtype)) {
      const SizeExpr count = Product(item.index->sizes);
      most = most ? Max(*most, count) : count;
      continue;
    }
    SizesOrFault both = Broadcast(sizes, item.index->sizes);
    if (!both.ok()) return both;
    sizes = std::move(both).value();
  }
  if (most && sizes.empty()) sizes.emplace_back(1);
  if (most && sizes.back().Is(1)) sizes.back() = *most;
  return sizes;
}

Types IndexType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto layout = LayoutOf(call);
  if (!layout.ok()) return layout.error();
  const SizesOrFault sizes = IndexSizes(layout.value());
  if (!sizes.ok()) return sizes.error();
  return OneResult(self.dtype, Indexed(self.sizes, sizes.value(), layout.value()));
}

Types IndexPutType(const TypeCall& call) {
  const Types selected = IndexType(call);
  return selected.ok() ? SameAsFirst(call) : selected;
}

// --- In a run.

// Places in one dimension of self.
struct Column {
  size_t dim = 0;
  Sizes sizes;
  Numbers<int64_t> places;
};

using Columns = std::vector<Column>;

// One column for each dimension of the mask, with the coordinates of its true elements.
void AppendMask(const Item<TensorValue>& item, Columns& columns) {
  const TensorValue& mask = *item.index;
  const int64_t count = ElementCount(mask);
  const std::vector<int64_t> strides = WholeOf(mask).strides;
  for (size_t d = 0; d < mask.sizes.size(); ++d) {
    Column column{item.dim + d, {0}, {}};
    ForEachElement(count, [&](int64_t i) {
      if (IntAt(mask, i) != 0) column.places.push_back(i / strides[d] % mask.sizes[d]);
    });
    column.sizes[0] = static_cast<int64_t>(column.places.size());
    columns.push_back(std::move(column));
  }
}

// Negative indices count from the end. What is wrong: one is out of range.
std::string AppendIndex(const Item<TensorValue>& item, int64_t size, Columns& columns) {
  const int64_t count = ElementCount(*item.index);
  Column column{item.dim, item.index->sizes, {}};
  Paced pace(count);
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    const int64_t at = IntAt(*item.index, i);
    if (at < -size || at >= size) return "index " + std::to_string(at) + " is out of range";
    column.places.push_back(at < 0 ? at + size : at);
  }
  columns.push_back(std::move(column));
  return {};
}

// What all columns broadcast to.
Result<Sizes, std::string> SizesOf(const Columns& columns) {
  SizeList common;
  for (const Column& column : columns) {
    SizesOrFault both = Broadcast(common, SizeList(column.sizes.begin(), column.sizes.end()));
    if (!both.ok()) return both.error();
    common = std::move(both).value();
  }
  Sizes sizes;
  for (const SizeExpr& size : common) sizes.push_back(size.Constant().value_or(0));
  return sizes;
}

// Elements of self, in the order and with the sizes of what the indices select.
struct Places {
  Sizes sizes;
  Numbers<int64_t> at;
};

Result<Places, std::string> Selected(const TensorValue& self,
                                     const Layout<TensorValue>& layout, const Columns& columns,
                                     const Sizes& sizes) {
  Places places{Indexed(self.sizes, sizes, layout), {}};
  if (std::max(ElementCount(sizes), ElementCount(places.sizes)) > kMaxResultElements) {
    return std::string("the indices select more elements than a tensor may have");
  }
  const std::vector<int64_t> strides = WholeOf(self).strides;
  Numbers<int64_t> offsets(static_cast<size_t>(ElementCount(sizes)), 0);
  for (const Column& column : columns) {
    Walk(sizes, BroadcastStrides(column.sizes, sizes), [&](int64_t i, int64_t at) {
      offsets[static_cast<size_t>(i)] +=
          column.places[static_cast<size_t>(at)] * strides[column.dim];
    });
  }
  const Sizes held(sizes.size(), 0);
  int64_t inner = 1;
  for (size_t d = layout.front; d < self.sizes.size(); ++d) {
    if (!layout.indexed[d]) inner = CappedProduct({inner, self.sizes[d]});
  }
  const auto count = static_cast<int64_t>(offsets.size());
  Walk(places.sizes, Indexed(strides, held, layout), [&](int64_t i, int64_t at) {
    places.at.push_back(at + offsets[static_cast<size_t>(i / inner % count)]);
  });
  return places;
}

Result<Places, std::string> PlacesOf(const Call& call) {
  const TensorValue& self = TensorAt(call, 0);
  const auto layout = LayoutOf(call);
  if (!layout.ok()) return layout.error();
  Columns columns;
  for (const auto& item : layout.value().items) {
    std::string fault;
    if (IsMask(item.index->dtype)) {
      AppendMask(item, columns);
    } else {
      fault = AppendIndex(item, self.sizes[item.dim], columns);
    }
    if (!fault.empty()) return fault;
  }
  const auto sizes = SizesOf(columns);
  if (!sizes.ok()) return sizes.error();
  return Selected(self, layout.value(), columns, sizes.value());
}

std::string Index(const Call& call, std::span<TensorValue> results) {
  const auto places = PlacesOf(call);
  if (!places.ok()) return places.error();
  const auto& at = places.value().at;
  results[0] = Zeros(results[0].dtype, places.value().sizes);
  ForEachElement(static_cast<int64_t>(at.size()), [&](int64_t i) {
    CopyElement(TensorAt(call, 0), at[static_cast<size_t>(i)], results[0], i);
  });
  return {};
}

std::string IndexPut(const Call& call, std::span<TensorValue> results) {
  const auto places = PlacesOf(call);
  if (!places.ok()) return places.error();
  const Sizes& sizes = places.value().sizes;
  const TensorValue& values = TensorAt(call, 2);
  const SizeList wanted(sizes.begin(), sizes.end());
  const auto both = Broadcast(wanted, SizeList(values.sizes.begin(), values.sizes.end()));
  if (!both.ok() || both.value() != wanted) return "the values do not fit the selected elements";
  const std::string fault = CopyAll(TensorAt(call, 0), results[0]);
  if (!fault.empty()) return fault;
  const bool accumulate = BoolAt(call, 3);
  Walk(sizes, BroadcastStrides(values.sizes, sizes), [&](int64_t i, int64_t from) {
    const int64_t to = places.value().at[static_cast<size_t>(i)];
    accumulate ? AddElement(values, from, results[0], to)
               : CopyElement(values, from, results[0], to);
  });
  return {};
}

constexpr OpMeaning kIndexMeanings[] = {
    Exact("aten::index.Tensor_out", IndexType, Index),
    RoundedFor(kIndexOrder, "aten::index_put.out", IndexPutType, IndexPut),
};

}  // namespace

std::span<const OpMeaning> IndexMeanings() {
  return kIndexMeanings;
}

}  // namespace pteproof
