// Mutation of a `.pte` in layers: what it means, how it is written, numbers that no program has,
// and its bytes.
#ifndef PTEPROOF_FUZZ_MUTATE_MUTATE_PROGRAM_H_
#define PTEPROOF_FUZZ_MUTATE_MUTATE_PROGRAM_H_

#include "fuzz/mutate/mutator.h"

namespace pteproof::fuzz {

// How often each layer is tried first, of 100; the rest is bytes. Where a layer has nothing to
// change the next one has its turn.
struct LayerShares {
  size_t plan = 0;
  size_t wire = 0;
  size_t extremes = 0;
};
inline constexpr LayerShares kForReader = {.plan = 15, .wire = 50, .extremes = 15};
inline constexpr LayerShares kForChecks = {.plan = 75, .wire = 15, .extremes = 1};

[[nodiscard]] Buffer MutateProgram(const LayerShares& shares, Bytes input, uint64_t seed,
                                   size_t max_size, const ByteMutator& bytes);

[[nodiscard]] Buffer CrossPrograms(Bytes a, Bytes b, uint64_t seed, size_t max_size);

// Of a `.ptd` or `.bpte` by its tables, of anything else by its bytes and tokens.
[[nodiscard]] Buffer MutateData(Bytes input, uint64_t seed, size_t max_size,
                                const ByteMutator& bytes);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_MUTATE_MUTATE_PROGRAM_H_
