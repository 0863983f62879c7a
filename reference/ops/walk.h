// Walks over the elements of one tensor while others follow with strides of their own: broadcast,
// permuted, or with a dimension held still.
#ifndef PTEPROOF_REFERENCE_OPS_WALK_H_
#define PTEPROOF_REFERENCE_OPS_WALK_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/work.h"
#include "reference/tensor_value.h"

namespace pteproof {

// Per dimension of `sizes`, the step in a row-major tensor of sizes `operand` that broadcasts to
// them: 0 where it has size 1 or no such dimension.
[[nodiscard]] std::vector<int64_t> BroadcastStrides(std::span<const int64_t> operand,
                                                    std::span<const int64_t> sizes);

// Calls each(i, offsets...) for the elements of a tensor of these sizes in row-major order: i
// counts them, and the offsets are the sums of index times stride.
template <class Each>
void Walk(std::span<const int64_t> sizes, std::span<const int64_t> strides, Each each) {
  std::vector<int64_t> index(sizes.size(), 0);
  const int64_t count = ElementCount(sizes);
  int64_t at = 0;
  Paced pace(count);
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    each(i, at);
    for (size_t d = sizes.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < sizes[d]) break;
      at -= strides[d] * sizes[d];
      index[d] = 0;
    }
  }
}

template <class Each>
void Walk(std::span<const int64_t> sizes, std::span<const int64_t> a_strides,
          std::span<const int64_t> b_strides, Each each) {
  std::vector<int64_t> index(sizes.size(), 0);
  const int64_t count = ElementCount(sizes);
  int64_t a = 0;
  int64_t b = 0;
  Paced pace(count);
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    each(i, a, b);
    for (size_t d = sizes.size(); d-- > 0;) {
      a += a_strides[d];
      b += b_strides[d];
      if (++index[d] < sizes[d]) break;
      a -= a_strides[d] * sizes[d];
      b -= b_strides[d] * sizes[d];
      index[d] = 0;
    }
  }
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_WALK_H_
