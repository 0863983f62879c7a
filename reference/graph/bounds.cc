#include "reference/graph/bounds.h"

#include <algorithm>

namespace pteproof::graph {
namespace {

// Sizes as they are, but for choices that the ranges decide.
struct DecidedSizes {
  using Value = SizeExpr;
  const std::vector<SizeRange>& ranges;

  static SizeExpr Number(int64_t number) { return number; }
  static SizeExpr Symbol(int32_t id) { return SizeExpr::Symbol(id); }
  static SizeExpr Add(const SizeExpr& a, const SizeExpr& b) { return a + b; }
  static SizeExpr Multiply(const SizeExpr& a, const SizeExpr& b) { return a * b; }
  static SizeExpr FloorDivide(const SizeExpr& a, const SizeExpr& b) { return FloorDiv(a, b); }
  static SizeExpr Modulo(const SizeExpr& a, const SizeExpr& b) { return Mod(a, b); }
  [[nodiscard]] SizeExpr Minimum(const SizeExpr& a, const SizeExpr& b) const {
    if (NeverAbove(a, b)) return a;
    return NeverAbove(b, a) ? b : Min(a, b);
  }
  [[nodiscard]] SizeExpr Maximum(const SizeExpr& a, const SizeExpr& b) const {
    if (NeverAbove(a, b)) return b;
    return NeverAbove(b, a) ? a : Max(a, b);
  }
  [[nodiscard]] bool NeverAbove(const SizeExpr& a, const SizeExpr& b) const {
    return a.Over(ranges).hi <= b.Over(ranges).lo;
  }
};

}  // namespace

std::vector<SizeRange> RangesOf(const Method& method) {
  std::vector<SizeRange> ranges;
  ranges.reserve(method.dims.size());
  for (const DimSymbol& dim : method.dims) ranges.push_back({dim.lo, dim.hi});
  return ranges;
}

std::vector<int64_t> HintsOf(const Method& method) {
  std::vector<int64_t> hints;
  hints.reserve(method.dims.size());
  for (const DimSymbol& dim : method.dims) hints.push_back(dim.hint.value_or(dim.hi));
  return hints;
}

Sizes UpperBoundOf(const TensorType& type, const Method& method) {
  const std::vector<SizeRange> ranges = RangesOf(method);
  Sizes sizes;
  sizes.reserve(type.rank());
  for (const SizeExpr& size : type.sizes) sizes.push_back(size.Over(ranges).hi);
  return sizes;
}

Sizes SizesAtHints(const TensorType& type, const Method& method) {
  const std::vector<int64_t> hints = HintsOf(method);
  Sizes sizes;
  sizes.reserve(type.rank());
  for (const SizeExpr& size : type.sizes) sizes.push_back(size.At(hints));
  return sizes;
}

SizeExpr Decided(const SizeExpr& size, const std::vector<SizeRange>& ranges) {
  DecidedSizes algebra{ranges};
  return size.In(algebra);
}

bool SameType(const ValueType& a, const ValueType& b, const Method& method) {
  const auto* left = std::get_if<TensorType>(&a);
  const auto* right = std::get_if<TensorType>(&b);
  if (a == b || left == nullptr || right == nullptr) return a == b;
  if (left->dtype != right->dtype || left->rank() != right->rank()) return false;
  const std::vector<SizeRange> ranges = RangesOf(method);
  return std::ranges::equal(
      left->sizes, right->sizes, {}, [&](const SizeExpr& size) { return Decided(size, ranges); },
      [&](const SizeExpr& size) { return Decided(size, ranges); });
}

}  // namespace pteproof::graph
