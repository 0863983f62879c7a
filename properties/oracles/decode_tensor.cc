#include "properties/oracles/decode_tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/work.h"

namespace pteproof {
namespace {

// Whether the elements lie in row-major order. An order of other dimensions says nothing.
bool IsRowMajor(size_t rank, std::span<const int32_t> dim_order) {
  return dim_order.size() != rank || std::ranges::is_sorted(dim_order);
}

// Calls visit(element in row-major order, element in memory) for each of them.
template <class Visit>
void ForEachInMemory(const Sizes& sizes, std::span<const int32_t> dim_order, const Visit& visit) {
  const size_t rank = sizes.size();
  const int64_t count = ElementCount(sizes);
  if (count == 0) return;
  std::vector<int64_t> strides(rank);  // in memory, by dimension
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    const auto dim = static_cast<size_t>(dim_order[d]);
    strides[dim] = stride;
    stride *= sizes[dim];
  }
  std::vector<int64_t> index(rank, 0);
  Paced pace(CappedProduct({count, static_cast<int64_t>(rank)}));
  for (int64_t i = 0; i < count; ++i) {
    pace.Step(static_cast<int64_t>(rank));
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
  if (IsRowMajor(tensor.sizes.size(), dim_order)) return tensor.bytes;
  TensorBytes memory = ZeroBytes(tensor.bytes.size());
  const size_t size = ElementSize(tensor.dtype);
  const std::byte* from = tensor.bytes.data();
  std::byte* to = memory.data();
  ForEachInMemory(tensor.sizes, dim_order, [&](size_t element, size_t at) {
    std::memcpy(to + at * size, from + element * size, size);
  });
  return memory;
}

TensorValue FromMemory(ScalarType dtype, Sizes sizes, std::span<const int32_t> dim_order,
                       const TensorBytes& memory) {
  const size_t size = ElementSize(dtype);
  const bool in_order = IsRowMajor(sizes.size(), dim_order);
  const int64_t nbytes = CappedProduct({ElementCount(sizes), static_cast<int64_t>(size)});
  if (in_order && static_cast<int64_t>(memory.size()) == nbytes) {
    return {dtype, std::move(sizes), memory};
  }
  TensorValue out = Zeros(dtype, std::move(sizes));
  std::byte* to = out.bytes.data();
  if (in_order) {
    Spend(nbytes / static_cast<int64_t>(sizeof(uint64_t)));
    std::copy_n(memory.data(), std::min(out.bytes.size(), memory.size()), to);
    return out;
  }
  ForEachInMemory(out.sizes, dim_order, [&](size_t element, size_t at) {
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
