// Gathers and scatters along one dimension: an index tensor says where each element lies in it.
#include <algorithm>
#include <utility>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/walk.h"

namespace pteproof {
namespace {

constexpr std::string_view kGatherOrder = "additions to one place come in any order";

bool IsIndex(ScalarType type) {
  return type == ScalarType::kInt64 || type == ScalarType::kInt32;
}

// A tensor without dimensions counts as one of a single element.
template <class List>
List WithDimension(List sizes) {
  if (sizes.empty()) sizes.emplace_back(1);
  return sizes;
}

// A tensor one of whose dimensions is indexed.
struct Target {
  size_t dim = 0;
  int64_t size = 0;              // of that dimension
  int64_t stride = 0;            // and its stride
  std::vector<int64_t> strides;  // of the others; 0 there
};

Target TargetOf(const Call& call, const TensorValue& self) {
  const size_t dim = DimensionIn(call, 1, self.sizes.size());
  Target target{dim, WithDimension(self.sizes)[dim], 0, WithDimension(WholeOf(self).strides)};
  target.stride = std::exchange(target.strides[dim], 0);
  return target;
}

// Walks over a tensor of `sizes` that lies in the target but for the indexed dimension, where
// index(i, at) says its place; `at` follows with the other strides. Calls each(i, at, place).
template <class Index, class Each>
std::string ForEachPlace(const Target& target, const Sizes& sizes, const Sizes& strides,
                         Index index, Each each) {
  std::string fault;
  Walk(sizes, target.strides, strides, [&](int64_t i, int64_t base, int64_t at) {
    const int64_t place = index(i, at);
    if (place >= 0 && place < target.size) {
      each(i, at, base + place * target.stride);
    } else {
      fault = "index " + std::to_string(place) + " is out of range";
    }
  });
  return fault;
}

// --- An index for each element: gather and scatter.

// The index may be shorter than the other tensors; nothing holds it in the indexed dimension.
bool Covers(const Sizes& sizes, const Sizes& index, std::optional<size_t> but) {
  for (size_t d = 0; d < index.size(); ++d) {
    if (d != but && index[d] > sizes[d]) return false;
  }
  return true;
}

// What is wrong with self, dim and index, operands 0 to 2.
std::string IndexFault(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const TensorType& index = TensorAt(call, 2);
  if (!DimensionAt(call, 1, self.rank())) return kNoDimension;
  if (!IsIndex(index.dtype)) return "the index is neither int32 nor int64";
  const bool same = WithDimension(self.sizes).size() == WithDimension(index.sizes).size();
  return same ? "" : "the index has another rank than self";
}

Types GatherType(const TypeCall& call) {
  std::string fault = IndexFault(call);
  if (!fault.empty()) return fault;
  return OneResult(TensorAt(call, 0).dtype, TensorAt(call, 2).sizes);
}

std::string Gather(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const TensorValue& index = TensorAt(call, 2);
  if (ElementCount(index) == 0) return {};
  const Target target = TargetOf(call, self);
  const Sizes sizes = WithDimension(index.sizes);
  if (!Covers(WithDimension(self.sizes), sizes, target.dim)) return "the index is larger than self";
  return ForEachPlace(
      target, sizes, Sizes(sizes.size(), 0), [&](int64_t i, int64_t) { return IntAt(index, i); },
      [&](int64_t i, int64_t, int64_t place) { CopyElement(self, place, results[0], i); });
}

Types ScatterType(const TypeCall& call) {
  std::string fault = IndexFault(call);
  if (!fault.empty()) return fault;
  return SameAsFirst(call);
}

// The same where operand 3 has an element for each index.
Types ScatterSourceType(const TypeCall& call) {
  const SizeList index = WithDimension(TensorAt(call, 2).sizes);
  if (WithDimension(TensorAt(call, 3).sizes).size() != index.size()) {
    return std::string("src has another rank than the index");
  }
  return ScatterType(call);
}

// Self, with put(at, place) called for each index: `at` in a tensor of sizes `source`.
template <class Put>
std::string Scatter(const Call& call, TensorValue& result, const Sizes& source, Put put) {
  const TensorValue& index = TensorAt(call, 2);
  const std::string fault = CopyAll(TensorAt(call, 0), result);
  if (!fault.empty() || ElementCount(index) == 0) return fault;
  const Target target = TargetOf(call, result);
  const Sizes sizes = WithDimension(index.sizes);
  if (!Covers(WithDimension(result.sizes), sizes, target.dim) ||
      !Covers(source, sizes, std::nullopt)) {
    return "the index is larger than self or src";
  }
  return ForEachPlace(
      target, sizes, RowMajorStrides(source), [&](int64_t i, int64_t) { return IntAt(index, i); },
      [&](int64_t, int64_t at, int64_t place) { put(at, place); });
}

std::string ScatterSource(const Call& call, std::span<TensorValue> results) {
  const TensorValue& src = TensorAt(call, 3);
  return Scatter(call, results[0], WithDimension(src.sizes),
                 [&](int64_t at, int64_t place) { CopyElement(src, at, results[0], place); });
}

std::string ScatterAdd(const Call& call, std::span<TensorValue> results) {
  const TensorValue& src = TensorAt(call, 3);
  return Scatter(call, results[0], WithDimension(src.sizes),
                 [&](int64_t at, int64_t place) { AddElement(src, at, results[0], place); });
}

std::string ScatterValue(const Call& call, std::span<TensorValue> results) {
  TensorValue value = Zeros(results[0].dtype, {});
  Fill(value, NumberAt(call, 3));
  return Scatter(call, results[0], WithDimension(TensorAt(call, 2).sizes),
                 [&](int64_t, int64_t place) { CopyElement(value, 0, results[0], place); });
}

// --- An index for each slice: index_select, index_copy, index_add and index_fill.

// What is wrong with self, dim and a list of places, operands 0 to 2.
std::string PlacesFault(const TypeCall& call) {
  const TensorType& index = TensorAt(call, 2);
  if (!DimensionAt(call, 1, TensorAt(call, 0).rank())) return kNoDimension;
  if (!IsIndex(index.dtype)) return "the index is neither int32 nor int64";
  return index.rank() > 1 ? "the index has more than one dimension" : "";
}

// Self's type with as many slices as there are places.
Types IndexSelectType(const TypeCall& call) {
  std::string fault = PlacesFault(call);
  if (!fault.empty()) return fault;
  TensorType type = TensorAt(call, 0);
  const SizeExpr count = Product(TensorAt(call, 2).sizes);
  if (type.sizes.empty()) {
    if (!MayBeEqual(count, 1)) return std::string("self has a single element");
    return SameAsFirst(call);
  }
  type.sizes[*DimensionAt(call, 1, type.rank())] = count;
  return OneResult(std::move(type));
}

// Walks over `slices`, one for each place, and calls each(i, place).
template <class Each>
std::string ForEachSlice(const Call& call, const TensorValue& self, const TensorValue& slices,
                         Each each) {
  if (ElementCount(slices) == 0) return {};
  const TensorValue& index = TensorAt(call, 2);
  const Target target = TargetOf(call, self);
  const Sizes sizes = WithDimension(slices.sizes);
  Sizes along(sizes.size(), 0);
  along[target.dim] = 1;
  return ForEachPlace(
      target, sizes, along, [&](int64_t, int64_t at) { return IntAt(index, at); },
      [&](int64_t i, int64_t, int64_t place) { each(i, place); });
}

std::string IndexSelect(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  return ForEachSlice(call, self, results[0],
                      [&](int64_t i, int64_t place) { CopyElement(self, place, results[0], i); });
}

// Source has the sizes that a selection with the same places would have.
Types IndexWriteType(const TypeCall& call) {
  Types selected = IndexSelectType(call);
  if (!selected.ok()) return selected;
  if (!MayBeEqual(WithDimension(selected.value()[0].sizes),
                  WithDimension(TensorAt(call, 3).sizes))) {
    return std::string("source does not fit the index");
  }
  return SameAsFirst(call);
}

std::string IndexCopy(const Call& call, std::span<TensorValue> results) {
  const TensorValue& source = TensorAt(call, 3);
  const std::string fault = CopyAll(TensorAt(call, 0), results[0]);
  if (!fault.empty()) return fault;
  return ForEachSlice(call, results[0], source,
                      [&](int64_t i, int64_t place) { CopyElement(source, i, results[0], place); });
}

// Adds alpha times source.
std::string IndexAdd(const Call& call, std::span<TensorValue> results) {
  TensorValue source = Converted(TensorAt(call, 3), results[0].dtype);
  TensorValue alpha = Zeros(results[0].dtype, {});
  Fill(alpha, NumberAt(call, 4));
  const std::string fault = CopyAll(TensorAt(call, 0), results[0]);
  if (!fault.empty()) return fault;
  WithNumbers(results[0].dtype, [&]<class T>(T) {
    ForEachElement(ElementCount(source), [&](int64_t i) {
      SetElement(source, i, Element<T>(source, i) * Element<T>(alpha, 0));
    });
  });
  return ForEachSlice(call, results[0], source,
                      [&](int64_t i, int64_t place) { AddElement(source, i, results[0], place); });
}

// Negative places count from the end here, and only here.
std::string FillSlices(const Call& call, const TensorValue& value, TensorValue& result) {
  const TensorValue& self = TensorAt(call, 0);
  const std::string fault = CopyAll(self, result);
  if (!fault.empty()) return fault;
  const TensorValue& index = TensorAt(call, 2);
  const Target target = TargetOf(call, result);
  Sizes sizes = WithDimension(self.sizes);
  sizes[target.dim] = ElementCount(index);
  if (ElementCount(sizes) == 0) return {};
  Sizes along(sizes.size(), 0);
  along[target.dim] = 1;
  const auto place_at = [&](int64_t, int64_t at) {
    const int64_t place = IntAt(index, at);
    return place < 0 ? place + target.size : place;
  };
  return ForEachPlace(target, sizes, along, place_at, [&](int64_t, int64_t, int64_t place) {
    CopyElement(value, 0, result, place);
  });
}

Types IndexFillType(const TypeCall& call) {
  std::string fault = PlacesFault(call);
  if (!fault.empty()) return fault;
  return SameAsFirst(call);
}

Types IndexFillTensorType(const TypeCall& call) {
  if (TensorAt(call, 3).rank() != 0) return std::string("the value has dimensions");
  return IndexFillType(call);
}

std::string IndexFill(const Call& call, std::span<TensorValue> results) {
  TensorValue value = Zeros(results[0].dtype, {});
  Fill(value, NumberAt(call, 3));
  return FillSlices(call, value, results[0]);
}

std::string IndexFillTensor(const Call& call, std::span<TensorValue> results) {
  return FillSlices(call, TensorAt(call, 3), results[0]);
}

constexpr OpMeaning kGatherMeanings[] = {
    Exact("aten::gather.out", GatherType, Gather),
    Exact("aten::scatter.src_out", ScatterSourceType, ScatterSource),
    Exact("aten::scatter.value_out", ScatterType, ScatterValue),
    RoundedFor(kGatherOrder, "aten::scatter_add.out", ScatterSourceType, ScatterAdd),
    Exact("aten::index_select.out", IndexSelectType, IndexSelect),
    Exact("aten::index_copy.out", IndexWriteType, IndexCopy),
    RoundedFor(kGatherOrder, "aten::index_add.out", IndexWriteType, IndexAdd),
    Exact("aten::index_fill.int_Scalar_out", IndexFillType, IndexFill),
    Exact("aten::index_fill.int_Tensor_out", IndexFillTensorType, IndexFillTensor),
};

}  // namespace

std::span<const OpMeaning> GatherMeanings() {
  return kGatherMeanings;
}

}  // namespace pteproof
