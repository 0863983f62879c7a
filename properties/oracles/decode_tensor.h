// From the order in which memory or a file holds a tensor's elements to row-major order, and back.
#ifndef PTEPROOF_PROPERTIES_ORACLES_DECODE_TENSOR_H_
#define PTEPROOF_PROPERTIES_ORACLES_DECODE_TENSOR_H_

#include <cstddef>
#include <span>
#include <vector>

#include "pteproof/program.h"
#include "reference/tensor_value.h"

namespace pteproof {

// Their number counts as memory of the thread's work.
[[nodiscard]] inline TensorBytes ZeroBytes(uint64_t count) {
  return Zeros(ScalarType::kUInt8, {static_cast<int64_t>(count)}).bytes;
}

// The tensor's sizes as the file states them: upper bounds where they may vary.
[[nodiscard]] Sizes SizesOf(const Method& method, const Tensor& tensor);

// The bytes of a tensor as memory holds them in that dim order, outermost dimension first, and
// back. Missing bytes are zero. Nothing is copied if the order is row-major and no byte is missing.
// An order of another rank than the sizes' stands for row-major.
[[nodiscard]] TensorBytes InMemory(const TensorValue& tensor, std::span<const int32_t> dim_order);
[[nodiscard]] TensorValue FromMemory(ScalarType dtype, Sizes sizes,
                                     std::span<const int32_t> dim_order, const TensorBytes& memory);

// `blob` as that tensor, whose memory order it is in. Missing bytes are zero. The tensor may view
// the blob, which must outlive it.
[[nodiscard]] TensorValue DecodeTensor(const Method& method, const Tensor& tensor, Bytes blob);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_DECODE_TENSOR_H_
