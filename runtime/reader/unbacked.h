// Tensors that are read although they have no memory: no place, no stored data, no caller to bring
// it.
#ifndef PTEPROOF_RUNTIME_READER_UNBACKED_H_
#define PTEPROOF_RUNTIME_READER_UNBACKED_H_

#include "runtime/reader/method_scope.h"

namespace pteproof::reader {

// Refuses instructions that read a tensor of at least one byte which is neither planned, stored,
// external, named, input nor output, and which nothing writes or moves to. All of the
// method must be read before.
void CheckUnbacked(const MethodScope& scope);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_UNBACKED_H_
