#include "reference/ops/walk.h"

namespace pteproof {

std::vector<int64_t> BroadcastStrides(std::span<const int64_t> operand,
                                      std::span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size(), 0);
  const std::vector<int64_t> own = RowMajorStrides(operand);
  for (size_t back = 1; back <= operand.size() && back <= sizes.size(); ++back) {
    const size_t d = operand.size() - back;
    strides[sizes.size() - back] = operand[d] == 1 ? 0 : own[d];
  }
  return strides;
}

}  // namespace pteproof
