// More elements for a vector inside a `.pte`: what follows moves, and all that leads across it is
// corrected. Offsets are repeated, so that tables come to be shared.
#ifndef PTEPROOF_FUZZ_MUTATE_WIRE_GROW_VECTOR_H_
#define PTEPROOF_FUZZ_MUTATE_WIRE_GROW_VECTOR_H_

#include <optional>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"

namespace pteproof::fuzz::wire {

// One vector or string that has elements, or one and then another: by a few elements or by as many
// as there is room for. Nothing: no `.pte`, no vector in it, or no room up to `max_size`.
// O(max_size).
[[nodiscard]] std::optional<Buffer> GrowVector(Bytes input, Random& random, size_t max_size);

}  // namespace pteproof::fuzz::wire

#endif  // PTEPROOF_FUZZ_MUTATE_WIRE_GROW_VECTOR_H_
