// Changes of bytes that mean nothing to the mutator: what is left where an input cannot be decoded.
#ifndef PTEPROOF_FUZZ_MUTATE_MUTATE_BYTES_H_
#define PTEPROOF_FUZZ_MUTATE_MUTATE_BYTES_H_

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"

namespace pteproof::fuzz {

// Flips, sets, inserts, drops and repeats bytes.
[[nodiscard]] ByteMutator SimpleByteMutator(uint64_t seed);

// The input as `bytes` changes it.
[[nodiscard]] Buffer MutateBytes(Bytes input, size_t max_size, const ByteMutator& bytes);

// The beginning of `a` and the end of `b`, cut at multiples of `unit` bytes.
[[nodiscard]] Buffer CrossBytes(Bytes a, Bytes b, Random& random, size_t max_size, size_t unit = 1);

// Changes whole records of `unit` bytes: one more, one set anew, dropped, repeated or swapped with
// another. What follows the last whole one stays.
[[nodiscard]] Buffer MutateRecords(Bytes input, Random& random, size_t max_size, size_t unit);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_MUTATE_MUTATE_BYTES_H_
