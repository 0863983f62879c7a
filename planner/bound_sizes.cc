// Idea. The size of a tensor is an expression over dims. The plan must hold the tensor for all
// values of the dims in their ranges, so each size is bounded from above by interval arithmetic
// (SizeExpr::Over), or taken at the hints if the caller plans for the example.
//
//   n in 1..16:   float32[2*n + 1, 4]   ->   33 x 4 x 4 = 528 bytes
//
// Invariant: nbytes is at least the size of the tensor for every admitted shape (not with hints:
// the file then refuses larger calls). Cost: O(operations of all sizes).
#include "planner/bound_sizes.h"

#include <limits>
#include <optional>
#include <utility>

#include "base/checked_math.h"
#include "planner/planted.h"
#include "reference/graph/bounds.h"

namespace pteproof::planner {
namespace {

// ExecuTorch's sizes are 32-bit; above this no bank could be had anyway.
constexpr int64_t kLargestSize = std::numeric_limits<int32_t>::max();
constexpr int64_t kLargestTensor = int64_t{1} << 46;

// Bytes; nothing where no bank could hold them.
std::optional<int64_t> BytesAt(const TensorType& type, const Sizes& sizes) {
  int64_t bytes = Planted(Defect::kFourByteElements) ? 4 : ElementSize(type.dtype);
  for (const int64_t size : sizes) {
    if (size < 0 || size > kLargestSize) return std::nullopt;
    bytes = CheckedMul(bytes, size).value_or(kLargestTensor + 1);
  }
  return bytes > kLargestTensor ? std::nullopt : std::optional(bytes);
}

// Names the dim with the largest range of those that the sizes depend on.
std::string Unbounded(const TensorType& type, const graph::Method& method, Bounds bounds) {
  const graph::DimSymbol* widest = nullptr;
  for (const SizeExpr& size : type.sizes) {
    for (const int32_t symbol : size.Symbols()) {
      const graph::DimSymbol& dim = method.dims[static_cast<size_t>(symbol)];
      if (widest == nullptr || dim.hi > widest->hi) widest = &dim;
    }
  }
  if (widest == nullptr) return "a tensor is too large for any bank";
  return "dim " + widest->name + " has no bound that fits in a bank (its largest value is " +
         std::to_string(widest->hi) + "): give the dim a smaller bound" +
         (bounds == Bounds::kHint ? ", or a hint" : ", or plan for its hint with --bounds hint");
}

Sizes SizesFor(const TensorType& type, const graph::Method& method, Bounds bounds) {
  if (Planted(Defect::kLowerBound)) {
    std::vector<int64_t> least;
    for (const graph::DimSymbol& dim : method.dims) least.push_back(dim.lo);
    Sizes sizes;
    for (const SizeExpr& size : type.sizes) sizes.push_back(size.At(least));
    return sizes;
  }
  const bool hints = bounds == Bounds::kHint || Planted(Defect::kHintForBound);
  return hints ? graph::SizesAtHints(type, method) : graph::UpperBoundOf(type, method);
}

}  // namespace

Result<BoundSizes, std::string> BoundSizesOf(const Code& code, const graph::Method& method,
                                             Bounds bounds) {
  BoundSizes all;
  all.sizes.resize(code.values.size());
  all.nbytes.resize(code.values.size());
  for (size_t v = 0; v < code.values.size(); ++v) {
    const TensorType* type = TensorTypeOf(code, static_cast<ValueId>(v));
    if (type == nullptr) continue;
    all.sizes[v] = SizesFor(*type, method, bounds);
    const auto bytes = BytesAt(*type, all.sizes[v]);
    if (!bytes) return Unbounded(*type, method, bounds);
    all.nbytes[v] = *bytes;
  }
  return all;
}

}  // namespace pteproof::planner
