// The contents of a program's stored tensors (constants, initial values) in row-major order.
#ifndef PTEPROOF_PROPERTIES_ORACLES_DECODE_TENSOR_H_
#define PTEPROOF_PROPERTIES_ORACLES_DECODE_TENSOR_H_

#include "reference/tensor_value.h"
#include "runtime/program.h"

namespace pteproof {

// The tensor's sizes as the file states them: upper bounds where they may vary.
[[nodiscard]] Sizes SizesOf(const Method& method, const Tensor& tensor);

// `blob` as that tensor, whose memory order it is in. Missing bytes are zero.
[[nodiscard]] TensorValue DecodeTensor(const Method& method, const Tensor& tensor, Bytes blob);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_DECODE_TENSOR_H_
