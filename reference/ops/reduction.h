// What reductions have in common: which dimensions they reduce over, the sizes that remain, and the
// elements that belong to each result.
#ifndef PTEPROOF_REFERENCE_OPS_REDUCTION_H_
#define PTEPROOF_REFERENCE_OPS_REDUCTION_H_

#include <optional>
#include <vector>

#include "reference/ops/either_call.h"
#include "reference/ops/type_rules.h"
#include "reference/ops/walk.h"

namespace pteproof {

// Marks the dimensions that the call's operand `dim`, a number or a list, names: all without it.
// Nothing: one is not a dimension, or occurs twice. `rank` of the first operand.
template <class Arg>
[[nodiscard]] std::optional<std::vector<bool>> ReducedDimensions(const CallOf<Arg>& call) {
  const auto rank = static_cast<int64_t>(TensorAt(call, 0).sizes.size());
  const auto dim = Given(call, "dim");
  const auto dims = dim ? NumbersAt(call, *dim) : std::vector<int64_t>();
  if (!dims) return std::nullopt;
  return MarkedDimensions(*dims, rank);
}

// The elements that one result is made of, as positions in the row-major operand.
struct Members {
  int64_t base = 0;
  std::span<const int64_t> offsets;

  [[nodiscard]] size_t size() const { return offsets.size(); }
  // Asks for the stop now and then: all members may be one result's.
  [[nodiscard]] int64_t operator[](size_t j) const {
    if (j % kEvery == kEvery - 1) EndIfStopped();
    return base + offsets[j];
  }
  static constexpr size_t kEvery = 1 << 14;
};

// Calls each(o, members) for each result o, in row-major order of the dimensions that remain.
template <class Each>
void ForEachGroup(std::span<const int64_t> sizes, const std::vector<bool>& reduced, Each each) {
  // A tensor without elements may still have sizes whose product is beyond 64 bits.
  const bool empty = ElementCount(sizes) == 0;
  const Sizes strides = empty ? Sizes(sizes.size(), 0) : RowMajorStrides(sizes);
  Sizes kept_sizes, kept_strides, member_sizes, member_strides;
  for (size_t d = 0; d < sizes.size(); ++d) {
    (reduced[d] ? member_sizes : kept_sizes).push_back(sizes[d]);
    (reduced[d] ? member_strides : kept_strides).push_back(strides[d]);
  }
  Numbers<int64_t> offsets;
  Spend(ElementCount(sizes));
  if (!empty) {
    Walk(member_sizes, member_strides, [&](int64_t, int64_t at) { offsets.push_back(at); });
  }
  Walk(kept_sizes, kept_strides, [&](int64_t o, int64_t base) { each(o, Members{base, offsets}); });
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_REDUCTION_H_
