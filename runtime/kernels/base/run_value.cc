#include "runtime/kernels/base/run_value.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/checked_math.h"
#include "runtime/dense_layout.h"

namespace pteproof {

int64_t ElementCount(const TensorRef& tensor) {
  // Modulo 2^64: what does not fit beside a size of 0 is 0.
  uint64_t count = 1;
  for (const int32_t size : tensor.sizes) count *= static_cast<uint64_t>(size);
  return static_cast<int64_t>(count);
}

bool IsRowMajor(const TensorRef& tensor) {
  if (std::ranges::count(tensor.sizes, 0) > 0) return true;
  int64_t stride = 1;
  for (size_t d = tensor.rank(); d-- > 0;) {
    if (tensor.sizes[d] != 1 && tensor.strides[d] != stride) return false;
    stride *= tensor.sizes[d];
  }
  return true;
}

// Of a tensor without elements they are 0: products of its sizes need not fit.
void SetStrides(TensorRef& tensor) {
  int64_t stride = std::ranges::count(tensor.sizes, 0) > 0 ? 0 : 1;
  for (size_t d = tensor.rank(); d-- > 0;) {
    const auto dim = static_cast<size_t>(tensor.dim_order[d]);
    tensor.strides[dim] = stride;
    stride *= tensor.sizes[dim];
  }
}

bool HasMemory(const TensorRef& tensor) {
  return tensor.memory().there() || tensor.nbytes == 0;
}

void SetHome(TensorRef& tensor, const MemoryExtent& memory) {
  tensor.home_ = tensor.memory_ = memory.First(tensor.nbytes);
}

void GoHome(TensorRef& tensor) {
  tensor.memory_ = tensor.home_;
  std::ranges::copy(tensor.bounds, tensor.sizes.begin());
  SetStrides(tensor);
}

void LieIn(TensorRef& tensor, const MemoryExtent& memory) {
  tensor.memory_ = memory.First(tensor.nbytes);
}

namespace {

// The bytes of a tensor that has those sizes; `why`: it cannot have them.
uint64_t BytesAt(const TensorRef& tensor, std::span<const int64_t> sizes, const char*& why) {
  why = nullptr;
  if (sizes.size() != tensor.rank()) {
    why = "a result has another number of dimensions";
    return 0;
  }
  const bool changes = !std::ranges::equal(sizes, tensor.sizes);
  if (changes && tensor.uses > 1) {
    why = "a result would get other sizes, and is an operand or another result of the call too";
  } else if (changes && !tensor.bounded) {
    why = "a result has other sizes than the file says, and they are static";
  }
  // A size of 0 does not excuse others that no tensor has.
  int64_t bytes = ElementSize(tensor.dtype);
  for (const int64_t size : sizes) {
    const bool fits = size >= 0 && size <= std::numeric_limits<int32_t>::max();
    if (!fits && why == nullptr) why = "a size is out of range";
    bytes = CheckedMul(bytes, size).value_or(std::numeric_limits<int64_t>::max());
  }
  return static_cast<uint64_t>(bytes);
}

void SetSizes(TensorRef& tensor, std::span<const int64_t> sizes) {
  std::ranges::transform(sizes, tensor.sizes.begin(),
                         [](int64_t size) { return static_cast<int32_t>(size); });
  SetStrides(tensor);
}

}  // namespace

const char* LieOver(TensorRef& view, const TensorRef& base, std::span<const int64_t> sizes) {
  const char* why = nullptr;
  const uint64_t bytes = BytesAt(view, sizes, why);
  if (why != nullptr) return why;
  if (!HasMemory(base)) return kUnplacedTensor;
  if (bytes != ByteCount(base)) return "the view has another number of bytes than its base";
  if (bytes > view.nbytes) return "the view is larger than its upper bound in the file";
  const MemoryExtent memory = base.memory_.First(view.nbytes);
  SetSizes(view, sizes);
  view.memory_ = memory;
  return nullptr;
}

const char* ResizeToBounds(TensorRef& tensor) {
  std::array<int64_t, kMaxRank> sizes = {};
  std::ranges::copy(tensor.bounds, sizes.begin());
  return Resize(tensor, std::span(sizes).first(tensor.rank()));
}

const char* Resize(TensorRef& tensor, std::span<const int64_t> sizes) {
  if (std::ranges::equal(sizes, tensor.sizes)) return nullptr;
  const char* why = nullptr;
  const uint64_t bytes = BytesAt(tensor, sizes, why);
  if (why != nullptr) return why;
  if (bytes > tensor.memory().size()) {
    return "a result is larger than the upper bound that the plan has room for";
  }
  SetSizes(tensor, sizes);
  return nullptr;
}

}  // namespace pteproof
