// Operators whose results are as long as the data says: selections by mask, and lists of places.
#include <utility>

#include "reference/evaluate.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/walk.h"

namespace pteproof {
namespace {

// Keeps the first `rows` of the first dimension.
void Cut(TensorValue& t, int64_t rows) {
  Sizes sizes = t.sizes;
  sizes[0] = rows;
  t.bytes.resize(static_cast<size_t>(ElementCount(sizes)) * ElementSize(t.dtype));
  t.sizes = std::move(sizes);
}

SizesOrFault MaskedSizes(const TypeCall& call) {
  if (TensorAt(call, 1).dtype != ScalarType::kBool) return std::string("the mask is not bool");
  return Broadcast(TensorAt(call, 0).sizes, TensorAt(call, 1).sizes);
}

// At most all.
Types MaskedSelectType(const TypeCall& call) {
  const SizesOrFault sizes = MaskedSizes(call);
  if (!sizes.ok()) return sizes.error();
  return OneResult(TensorAt(call, 0).dtype, {Product(sizes.value())});
}

Types MaskedScatterType(const TypeCall& call) {
  const SizesOrFault sizes = MaskedSizes(call);
  if (!sizes.ok()) return sizes.error();
  return OneResult(TensorAt(call, 0).dtype, sizes.value());
}

// The sizes that both tensors broadcast to, which the type rule has found.
Sizes CommonSizes(const Sizes& a, const Sizes& b) {
  const auto common = Broadcast(SizeList(a.begin(), a.end()), SizeList(b.begin(), b.end()));
  Sizes sizes;
  if (!common.ok()) return sizes;
  for (const SizeExpr& size : common.value()) sizes.push_back(size.Constant().value_or(0));
  return sizes;
}

std::string MaskedSelect(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const TensorValue& mask = TensorAt(call, 1);
  const Sizes sizes = CommonSizes(self.sizes, mask.sizes);
  int64_t count = 0;
  Walk(sizes, BroadcastStrides(self.sizes, sizes), BroadcastStrides(mask.sizes, sizes),
       [&](int64_t, int64_t at, int64_t mask_at) {
         if (IsTrueAt(mask, mask_at)) CopyElement(self, at, results[0], count++);
       });
  Cut(results[0], count);
  return {};
}

// Where the mask is true, the elements of source, one by one.
std::string MaskedScatter(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const TensorValue& mask = TensorAt(call, 1);
  const TensorValue& source = TensorAt(call, 2);
  const Sizes& sizes = results[0].sizes;
  const int64_t most = ElementCount(source);
  int64_t count = 0;
  Walk(sizes, BroadcastStrides(self.sizes, sizes), BroadcastStrides(mask.sizes, sizes),
       [&](int64_t i, int64_t at, int64_t mask_at) {
         const bool from_source = IsTrueAt(mask, mask_at) && count++ < most;
         from_source ? CopyElement(source, count - 1, results[0], i)
                     : CopyElement(self, at, results[0], i);
       });
  return count <= most ? "" : "the source has less elements than the mask selects";
}

// One row for each element that is not zero: its coordinates. NaN is not zero.
Types NonzeroType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  return OneResult(ScalarType::kInt64,
                   {Product(self.sizes), SizeExpr(static_cast<int64_t>(self.rank()))});
}

std::string Nonzero(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const int64_t count = ElementCount(self);
  const std::vector<int64_t> strides = WholeOf(self).strides;
  int64_t rows = 0;
  Paced pace(CappedProduct({count, self.rank() + 1}));
  for (int64_t i = 0; i < count; ++i) {
    pace.Step(self.rank() + 1);
    if (!IsTrueAt(self, i)) continue;
    for (size_t d = 0; d < strides.size(); ++d) {
      const int64_t at = rows * self.rank() + static_cast<int64_t>(d);
      SetInt(results[0], at, i / strides[d] % self.sizes[d]);
    }
    ++rows;
  }
  Cut(results[0], rows);
  return {};
}

// Without output_size nothing bounds the result before a run: none of its elements are planned.
Types RepeatsType(const TypeCall& call) {
  const TensorType& repeats = TensorAt(call, 0);
  if (repeats.rank() != 1) return std::string("the repeats are not a list");
  if (!IsInteger(repeats.dtype)) return std::string("the repeats are not integers");
  return OneResult(repeats.dtype, {IntOr(call, 1, SizeExpr(0))});
}

// The number of each repeat, as often as it says.
std::string RepeatInterleave(const Call& call, std::span<TensorValue> results) {
  const TensorValue& repeats = TensorAt(call, 0);
  const int64_t count = ElementCount(repeats);
  int64_t sum = 0;
  Paced pace(count);
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    const int64_t repeat = IntAt(repeats, i);
    if (repeat < 0) return "a repeat is negative";
    if (repeat > kMaxResultElements - sum) return "the result is out of range";
    sum += repeat;
  }
  if (IntOr(call, 1, sum) != sum) return "output_size is not the sum of the repeats";
  results[0] = Zeros(results[0].dtype, {sum});
  int64_t next = 0;
  Paced stored(sum + count);
  for (int64_t i = 0; i < count; ++i) {
    stored.Step();
    for (int64_t repeat = IntAt(repeats, i); repeat > 0; --repeat) {
      stored.Step();
      SetInt(results[0], next++, i);
    }
  }
  return {};
}

constexpr OpMeaning kMaskMeanings[] = {
    Exact("aten::masked_select.out", MaskedSelectType, MaskedSelect),
    Exact("aten::masked_scatter.out", MaskedScatterType, MaskedScatter),
    Exact("aten::nonzero.out", NonzeroType, Nonzero),
    Exact("aten::repeat_interleave.Tensor_out", RepeatsType, RepeatInterleave),
};

}  // namespace

std::span<const OpMeaning> MaskMeanings() {
  return kMaskMeanings;
}

}  // namespace pteproof
