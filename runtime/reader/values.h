// A method's value table: kinds, numbers, strings and lists. Tensors are read by reader/tensors.h.
#ifndef PTEPROOF_RUNTIME_READER_VALUES_H_
#define PTEPROOF_RUNTIME_READER_VALUES_H_

#include "runtime/reader/method_scope.h"

namespace pteproof::reader {

// Fills the method's values, tensors and pools. All kinds are known before the first value is
// decoded, so that lists may refer forward where the format lets them.
void ReadValues(const MethodScope& scope);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_VALUES_H_
