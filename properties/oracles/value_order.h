// Whether the values of a method are numbered as the exporter numbers them: buffers first, then
// inputs, then what the instructions introduce, in the order of the listing.
#ifndef PTEPROOF_PROPERTIES_ORACLES_VALUE_ORDER_H_
#define PTEPROOF_PROPERTIES_ORACLES_VALUE_ORDER_H_

#include <cstdint>
#include <span>

#include "pteproof/program.h"

namespace pteproof {

// The number of values in that order; -1 if one is out of it. `maker`: per value the first call
// that makes it, negative if none does. O(arguments).
[[nodiscard]] int AscendingValues(const Method& method, std::span<const int32_t> maker);

// Whether so many values per method in ascending order are no accident: of one method at least
// four, of several fewer than one in a hundred numberings. O(methods).
[[nodiscard]] bool IsNoAccident(std::span<const int> ascending);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_VALUE_ORDER_H_
