// The time of most use of a bank, and who makes it.
#ifndef PTEPROOF_PROPERTIES_PICTURE_PEAK_H_
#define PTEPROOF_PROPERTIES_PICTURE_PEAK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/picture/picture.h"

namespace pteproof::picture {

// The point at which most bytes are in use; the first of equals. Reserved places do not count.
// O(n log n).
[[nodiscard]] int64_t PeakOf(const Panel& panel);

// The storages in use at a point, by index in the panel; reserved places too.
[[nodiscard]] std::vector<size_t> StoragesAt(const Panel& panel, int64_t point);

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_PEAK_H_
