// The numbers that a program can take where it indexes a tensor, followed back to its inputs.
#ifndef PTEPROOF_PROPERTIES_ORACLES_INDEX_BOUNDS_H_
#define PTEPROOF_PROPERTIES_ORACLES_INDEX_BOUNDS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "meaning/method_meaning.h"

namespace pteproof {

// Per input of the method: how many numbers, from 0 on, each of its elements may be, so that what
// is indexed with them has a place for each; at least 1. Nothing: no index is made of the input in
// a way that is known. Sizes are the upper bounds of the file. O(instructions), some times over.
[[nodiscard]] std::vector<std::optional<int64_t>> IndexBounds(const meaning::MethodMeaning& meant);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_INDEX_BOUNDS_H_
