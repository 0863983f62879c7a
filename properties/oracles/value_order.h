// Whether the values of a method are numbered as the exporter numbers them: buffers first, then
// inputs, then what the instructions introduce, in the order of the listing.
#ifndef PTEPROOF_PROPERTIES_ORACLES_VALUE_ORDER_H_
#define PTEPROOF_PROPERTIES_ORACLES_VALUE_ORDER_H_

#include <cstdint>
#include <span>

#include "pteproof/program.h"

namespace pteproof {

// `maker`: per value the first call that makes it, negative if none does. Fewer than five values in
// order may be chance. O(arguments).
[[nodiscard]] bool ValuesAscend(const Method& method, std::span<const int32_t> maker);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_VALUE_ORDER_H_
