// A value that a caller passes in or gets back: nothing, a number, a text or a tensor.
#ifndef PTEPROOF_REFERENCE_DATUM_H_
#define PTEPROOF_REFERENCE_DATUM_H_

#include <cstdint>
#include <string>
#include <variant>

#include "reference/tensor_value.h"

namespace pteproof {

using Datum = std::variant<std::monostate, int64_t, bool, double, std::string, TensorValue>;

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_DATUM_H_
