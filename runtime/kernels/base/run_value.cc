#include "runtime/kernels/base/run_value.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/checked_math.h"
#include "runtime/dense_layout.h"

namespace pteproof {

int64_t ElementCount(const TensorRef& tensor) {
  int64_t count = 1;
  for (const int32_t size : tensor.sizes) count *= size;
  return count;
}

bool IsRowMajor(const TensorRef& tensor) {
  int64_t stride = 1;
  for (size_t d = tensor.rank(); d-- > 0;) {
    if (tensor.sizes[d] == 0) return true;
    if (tensor.sizes[d] != 1 && tensor.strides[d] != stride) return false;
    stride *= tensor.sizes[d];
  }
  return true;
}

void SetStrides(TensorRef& tensor) {
  int64_t stride = 1;
  for (size_t d = tensor.rank(); d-- > 0;) {
    const auto dim = static_cast<size_t>(tensor.dim_order[d]);
    tensor.strides[dim] = stride;
    stride *= tensor.sizes[dim];
  }
}

const char* ResizeToBounds(TensorRef& tensor) {
  std::array<int64_t, kMaxRank> sizes = {};
  std::ranges::copy(tensor.bounds, sizes.begin());
  return Resize(tensor, std::span(sizes).first(tensor.rank()));
}

const char* Resize(TensorRef& tensor, std::span<const int64_t> sizes) {
  if (sizes.size() != tensor.rank()) return "a result has another number of dimensions";
  if (std::ranges::equal(sizes, tensor.sizes)) return nullptr;
  if (!tensor.bounded) return "a result has other sizes than the file says, and they are static";
  // A size of 0 does not excuse others that no tensor has.
  int64_t bytes = ElementSize(tensor.dtype);
  for (const int64_t size : sizes) {
    if (size < 0 || size > std::numeric_limits<int32_t>::max()) return "a size is out of range";
    bytes = CheckedMul(bytes, size).value_or(std::numeric_limits<int64_t>::max());
  }
  if (static_cast<uint64_t>(bytes) > tensor.capacity) {
    return "a result is larger than the upper bound that the plan has room for";
  }
  std::ranges::transform(sizes, tensor.sizes.begin(),
                         [](int64_t size) { return static_cast<int32_t>(size); });
  SetStrides(tensor);
  return nullptr;
}

}  // namespace pteproof
