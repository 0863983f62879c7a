#include "runtime/dense_layout.h"

#include <fmt/format.h>

#include <optional>

#include "base/checked_math.h"

namespace pteproof {
namespace {

bool IsPermutation(std::span<const uint8_t> dim_order) {
  uint32_t seen = 0;
  for (const uint8_t dim : dim_order) {
    if (dim >= dim_order.size()) return false;
    seen |= 1U << dim;
  }
  return seen == (1U << dim_order.size()) - 1;
}

// Elements times element size in signed 64 bits, the width that loaders count in. Sizes of zero do
// not excuse a product of the others that overflows: strides are made of those.
std::optional<uint64_t> ByteCount(uint32_t element_size, std::span<const int32_t> sizes) {
  int64_t bytes = element_size;
  bool empty = false;
  for (const int32_t size : sizes) {
    if (size == 0) {
      empty = true;
      continue;
    }
    const auto product = CheckedMul<int64_t>(bytes, size);
    if (!product) return std::nullopt;
    bytes = *product;
  }
  return empty ? 0 : static_cast<uint64_t>(bytes);
}

}  // namespace

Result<DenseLayout, std::string> MakeDenseLayout(int dtype, std::span<const int32_t> sizes,
                                                 std::span<const uint8_t> dim_order) {
  if (!IsScalarType(dtype)) return fmt::format("has element type {}, which is unknown", dtype);
  if (sizes.size() > kMaxRank) {
    return fmt::format("has {} dimensions, and the limit is {}", sizes.size(), kMaxRank);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0) return fmt::format("has size {} in dimension {}", sizes[i], i);
  }
  if (dim_order.size() != sizes.size()) {
    return fmt::format("has {} sizes and {} entries in its dim_order", sizes.size(),
                       dim_order.size());
  }
  if (!IsPermutation(dim_order)) {
    return fmt::format("has a dim_order that is not a permutation of 0 to {}", sizes.size() - 1);
  }
  const auto type = static_cast<ScalarType>(dtype);
  const auto nbytes = ByteCount(ElementSize(type), sizes);
  if (!nbytes) return std::string("has sizes whose product exceeds 64 bits");
  return DenseLayout{
      type, {sizes.begin(), sizes.end()}, {dim_order.begin(), dim_order.end()}, *nbytes};
}

}  // namespace pteproof
