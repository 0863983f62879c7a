// Element types that ExecuTorch reads as a number (`_local_scalar_dense`); its kernel has no case
// for the others.
#ifndef PTEPROOF_RUNTIME_NUMBER_TYPES_H_
#define PTEPROOF_RUNTIME_NUMBER_TYPES_H_

#include "pteproof/scalar_type.h"

namespace pteproof {

[[nodiscard]] constexpr bool IsReadAsNumber(ScalarType type) {
  switch (type) {
    case ScalarType::kUInt8:
    case ScalarType::kInt8:
    case ScalarType::kInt16:
    case ScalarType::kInt32:
    case ScalarType::kInt64:
    case ScalarType::kFloat32:
    case ScalarType::kFloat64:
    case ScalarType::kBool:
      return true;
    default:
      return false;
  }
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_NUMBER_TYPES_H_
