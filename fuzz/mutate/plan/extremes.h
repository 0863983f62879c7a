// Numbers of a program that no program has: what only a sound reader refuses. Other than the wire's
// layer this reaches numbers that a file leaves out because they are 0.
#ifndef PTEPROOF_FUZZ_MUTATE_PLAN_EXTREMES_H_
#define PTEPROOF_FUZZ_MUTATE_PLAN_EXTREMES_H_

#include <optional>

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"

namespace pteproof::fuzz::plan {

// The program with one number more or less anywhere in its range, seldom two. Nothing: the input is
// no program, or has no such number. O(size of the input).
[[nodiscard]] std::optional<Buffer> MutateExtremes(Bytes input, Random& random);

}  // namespace pteproof::fuzz::plan

#endif  // PTEPROOF_FUZZ_MUTATE_PLAN_EXTREMES_H_
