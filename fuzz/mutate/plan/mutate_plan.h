// The plan's layer: a `.pte` is decoded, changed in what it means, and written anew.
#ifndef PTEPROOF_FUZZ_MUTATE_PLAN_MUTATE_PLAN_H_
#define PTEPROOF_FUZZ_MUTATE_PLAN_MUTATE_PLAN_H_

#include <optional>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"

namespace pteproof::fuzz::plan {

// One change, sometimes up to four, and half of the time repaired. Nothing: the input is no
// program, or has nothing to change. O(size of the input).
[[nodiscard]] std::optional<Buffer> Mutate(Bytes input, Random& random);

// A method of `b` in `a`, or places of `b` in `a`. Nothing: they do not go together.
[[nodiscard]] std::optional<Buffer> Cross(Bytes a, Bytes b, Random& random);

}  // namespace pteproof::fuzz::plan

#endif  // PTEPROOF_FUZZ_MUTATE_PLAN_MUTATE_PLAN_H_
