// The arithmetic of a tensor's shape: everything that can overflow between sizes and bytes.
#ifndef PTEPROOF_RUNTIME_READER_TENSOR_SHAPE_H_
#define PTEPROOF_RUNTIME_READER_TENSOR_SHAPE_H_

#include <cstdint>
#include <optional>
#include <span>

namespace pteproof::reader {

// Whether `dim_order` names each of its positions once. At most 32 of them.
[[nodiscard]] bool IsPermutation(std::span<const int32_t> dim_order);

// Bytes of a tensor with these sizes (none negative), laid out in that order (a permutation,
// outermost first). Nothing when the number of elements or of bytes does not fit 63 bits, or a
// stride does not fit the 31 bits that runtimes give it; there a size of 0 counts as 1, as
// runtimes count it.
[[nodiscard]] std::optional<uint64_t> TensorBytes(std::span<const int32_t> sizes,
                                                  std::span<const int32_t> dim_order,
                                                  uint32_t element_size);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_TENSOR_SHAPE_H_
