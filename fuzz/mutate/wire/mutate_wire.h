// The wire's layer: numbers of a flatbuffer are changed in place, each to what a reader of just
// that number may get wrong. Nothing moves, so that the rest stays what it was.
#ifndef PTEPROOF_FUZZ_MUTATE_WIRE_MUTATE_WIRE_H_
#define PTEPROOF_FUZZ_MUTATE_WIRE_MUTATE_WIRE_H_

#include <optional>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"

namespace pteproof::fuzz::wire {

// One number of a `.pte`, `.ptd` or `.bpte`, or several of one vector to the same, and seldom up to
// four such changes; of a `.bpte` as often one of the program inside. As long as the input.
// Nothing: no such file. O(size of the input).
[[nodiscard]] std::optional<Buffer> Mutate(Bytes input, Random& random);

}  // namespace pteproof::fuzz::wire

#endif  // PTEPROOF_FUZZ_MUTATE_WIRE_MUTATE_WIRE_H_
