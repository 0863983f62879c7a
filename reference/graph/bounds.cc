#include "reference/graph/bounds.h"

namespace pteproof::graph {

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

}  // namespace pteproof::graph
