// The arithmetic between sizes and bytes. Idea: strides are derived as runtimes derive them, from
// the innermost dimension outwards; each must fit 31 bits, and the number of bytes 63 bits. A size
// of 0 counts as 1 for strides, as runtimes compute them.
//
//   sizes [2, 3, 4], order [0, 1, 2]:   strides 12, 4, 1;   24 elements
//
// Invariant: the running product stays below 2^62, since both factors fit 31 bits. Cost: O(rank).
#include "runtime/reader/tensor_shape.h"

#include <limits>

#include "base/checked_math.h"

namespace pteproof::reader {

bool IsPermutation(std::span<const int32_t> dim_order) {
  uint32_t seen = 0;
  for (const int32_t dim : dim_order) {
    if (dim < 0 || static_cast<size_t>(dim) >= dim_order.size()) return false;
    const uint32_t bit = uint32_t{1} << static_cast<uint32_t>(dim);
    if ((seen & bit) != 0) return false;
    seen |= bit;
  }
  return true;
}

std::optional<uint64_t> TensorBytes(std::span<const int32_t> sizes,
                                    std::span<const int32_t> dim_order, uint32_t element_size) {
  constexpr int64_t kMaxStride = std::numeric_limits<int32_t>::max();
  int64_t stride = 1;  // of the dimension at hand, from the innermost outwards
  bool empty = false;
  for (size_t i = dim_order.size(); i-- > 0;) {
    if (stride > kMaxStride) return std::nullopt;
    const int64_t size = sizes[static_cast<size_t>(dim_order[i])];
    empty = empty || size == 0;
    stride *= size == 0 ? 1 : size;  // below 2^62: both factors fit 31 bits
  }
  const auto bytes = CheckedMul<int64_t>(stride, element_size);
  if (!bytes.has_value()) return std::nullopt;
  return empty ? 0 : static_cast<uint64_t>(*bytes);
}

}  // namespace pteproof::reader
