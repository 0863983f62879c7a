// One tensor of the value table: type, shape, place and stored data.
#ifndef PTEPROOF_RUNTIME_READER_TENSORS_H_
#define PTEPROOF_RUNTIME_READER_TENSORS_H_

#include "runtime/reader/method_scope.h"

namespace pteproof::reader {

// Appends to the method's tensors and makes value `index` refer to it. The method's bank sizes and
// the program's constants and initial values must be read before.
void ReadTensor(const MethodScope& scope, uint32_t index, const schema::Tensor& wire);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_TENSORS_H_
