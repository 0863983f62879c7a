#include "properties/oracles/decode_tensor.h"

#include <algorithm>
#include <cstring>

namespace pteproof {
namespace {

// Copies element by element from memory order to row-major order.
void Reorder(std::span<const int32_t> dim_order, Bytes blob, TensorValue& out) {
  const size_t rank = out.sizes.size();
  std::vector<int64_t> strides(rank);  // in the blob, by dimension
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    const auto dim = static_cast<size_t>(dim_order[d]);
    strides[dim] = stride;
    stride *= out.sizes[dim];
  }
  const size_t size = ElementSize(out.dtype);
  std::vector<int64_t> index(rank, 0);
  const int64_t count = ElementCount(out);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < rank; ++d) at += index[d] * strides[d];
    const size_t from = static_cast<size_t>(at) * size;
    if (from + size <= blob.size()) {
      std::memcpy(out.bytes.data() + static_cast<size_t>(i) * size, blob.data() + from, size);
    }
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < out.sizes[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace

Sizes SizesOf(const Method& method, const Tensor& tensor) {
  const auto sizes = method.Ints(tensor.sizes);
  return {sizes.begin(), sizes.end()};
}

TensorValue DecodeTensor(const Method& method, const Tensor& tensor, Bytes blob) {
  TensorValue out = Zeros(tensor.dtype, SizesOf(method, tensor));
  const auto dim_order = method.Ints(tensor.dim_order);
  if (!std::ranges::is_sorted(dim_order)) {
    Reorder(dim_order, blob, out);
  } else if (!out.bytes.empty() && !blob.empty()) {
    std::memcpy(out.bytes.data(), blob.data(), std::min(out.bytes.size(), blob.size()));
  }
  return out;
}

}  // namespace pteproof
