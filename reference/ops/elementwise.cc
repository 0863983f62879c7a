#include "reference/ops/elementwise.h"

#include <algorithm>
#include <utility>

#include "reference/ops/walk.h"

namespace pteproof {

Promotable Combined(const Promotable& a, const Promotable& b) {
  if (a.number && b.number) return a;
  if (a.number) return {std::nullopt, PromotedWithNumber(b.dtype, *a.number), b.rank};
  if (b.number) return {std::nullopt, PromotedWithNumber(a.dtype, *b.number), a.rank};
  const size_t rank = std::max(a.rank, b.rank);
  if ((a.rank == 0) != (b.rank == 0)) {
    const Promotable& lone = a.rank == 0 ? a : b;
    const Promotable& other = a.rank == 0 ? b : a;
    if (Category(lone.dtype) <= Category(other.dtype)) return {std::nullopt, other.dtype, rank};
  }
  return {std::nullopt, Promoted(a.dtype, b.dtype), rank};
}

SizesOrFault CommonSizes(const TypeCall& call, std::initializer_list<size_t> operands) {
  SizeList common;
  for (const size_t i : operands) {
    const TensorType* tensor = TensorOrNull(call, i);
    if (tensor == nullptr) continue;
    if (common.empty()) {  // as it is without dimensions: what has none broadcasts to any sizes
      common = tensor->sizes;
      continue;
    }
    SizesOrFault sizes = Broadcast(std::move(common), tensor->sizes);
    if (!sizes.ok()) return sizes;
    common = std::move(sizes).value();
  }
  return common;
}

void SetNumber(TensorValue& t, int64_t i, const Number& number) {
  if (number.is_real()) {
    SetReal(t, i, number.real);
  } else {
    SetInt(t, i, number.integer);
  }
}

TensorValue OperandAs(const Call& call, size_t i, ScalarType dtype,
                      std::span<const int64_t> sizes) {
  TensorValue expanded = Zeros(dtype, {sizes.begin(), sizes.end()});
  if (const TensorValue* tensor = TensorOrNull(call, i)) {
    Walk(sizes, BroadcastStrides(tensor->sizes, sizes),
         [&](int64_t to, int64_t from) { CopyElement(*tensor, from, expanded, to); });
  } else {
    const Number number = NumberAt(call, i);
    ForEachElement(ElementCount(expanded), [&](int64_t to) { SetNumber(expanded, to, number); });
  }
  return expanded;
}

std::string AdmissionFault(Admit admit, ScalarType type) {
  if (admit != Admit::kAll && IsComplex(type)) return "it takes no complex elements";
  if (admit == Admit::kInteger && IsFloat(type)) return "it takes integers and bool only";
  return {};
}

}  // namespace pteproof
