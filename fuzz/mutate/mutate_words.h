// Changes of a text by its lines and words.
#ifndef PTEPROOF_FUZZ_MUTATE_MUTATE_WORDS_H_
#define PTEPROOF_FUZZ_MUTATE_MUTATE_WORDS_H_

#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/random.h"
#include "fuzz/vocabulary.h"

namespace pteproof::fuzz {

// A line dropped, repeated or swapped with another, or a word replaced by another of the text or
// one of `words`; seldom more than one such change. Cut at `max_size`.
[[nodiscard]] Buffer MutateWords(Bytes text, const Words& words, Random& random, size_t max_size);

// The beginning of `a` and the end of `b`, whole lines of both.
[[nodiscard]] Buffer CrossLines(Bytes a, Bytes b, Random& random, size_t max_size);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_MUTATE_MUTATE_WORDS_H_
