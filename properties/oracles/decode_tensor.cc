#include "properties/oracles/decode_tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pteproof {
namespace {

// Whether that order says nothing of elements of these sizes: it is row-major, or of a tensor of
// another rank, as sizes that were guessed or that a caller chose may have.
bool StaysRowMajor(const Sizes& sizes, std::span<const int32_t> dim_order) {
  return dim_order.size() != sizes.size() || std::ranges::is_sorted(dim_order);
}

// Calls visit(element in row-major order, element in memory) for each of them. The order is a
// permutation of the dimensions.
template <class Visit>
void ForEachElement(const Sizes& sizes, std::span<const int32_t> dim_order, const Visit& visit) {
  const size_t rank = sizes.size();
  std::vector<int64_t> strides(rank);  // in memory, by dimension
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    const auto dim = static_cast<size_t>(dim_order[d]);
    strides[dim] = stride;
    stride *= sizes[dim];
  }
  std::vector<int64_t> index(rank, 0);
  const int64_t count = ElementCount(sizes);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < rank; ++d) at += index[d] * strides[d];
    visit(static_cast<size_t>(i), static_cast<size_t>(at));
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace

Sizes SizesOf(const Method& method, const Tensor& tensor) {
  const auto sizes = method.Ints(tensor.sizes);
  return {sizes.begin(), sizes.end()};
}

TensorBytes InMemory(const TensorValue& tensor, std::span<const int32_t> dim_order) {
  if (StaysRowMajor(tensor.sizes, dim_order)) return tensor.bytes;
  std::vector<std::byte> memory(tensor.bytes.size());
  const size_t size = ElementSize(tensor.dtype);
  const std::byte* from = tensor.bytes.data();
  ForEachElement(tensor.sizes, dim_order, [&](size_t element, size_t at) {
    std::memcpy(&memory[at * size], from + element * size, size);
  });
  return memory;
}

TensorValue FromMemory(ScalarType dtype, Sizes sizes, std::span<const int32_t> dim_order,
                       const TensorBytes& memory) {
  const size_t size = ElementSize(dtype);
  const bool in_order = StaysRowMajor(sizes, dim_order);
  if (in_order && memory.size() == static_cast<size_t>(ElementCount(sizes)) * size) {
    return {dtype, std::move(sizes), memory};
  }
  TensorValue out = Zeros(dtype, std::move(sizes));
  std::byte* to = out.bytes.data();
  if (in_order) {
    std::copy_n(memory.data(), std::min(out.bytes.size(), memory.size()), to);
    return out;
  }
  ForEachElement(out.sizes, dim_order, [&](size_t element, size_t at) {
    if ((at + 1) * size > memory.size()) return;
    std::memcpy(to + element * size, memory.data() + at * size, size);
  });
  return out;
}

TensorValue DecodeTensor(const Method& method, const Tensor& tensor, Bytes blob) {
  const Bytes own = blob.first(std::min<uint64_t>(blob.size(), tensor.nbytes));
  return FromMemory(tensor.dtype, SizesOf(method, tensor), method.Ints(tensor.dim_order),
                    TensorBytes::ViewOf(own));
}

}  // namespace pteproof
