// What an entry of libFuzzer's tells its mutator, which is a file of its own: without it libFuzzer
// changes bytes.
#ifndef PTEPROOF_FUZZ_ENTRY_H_
#define PTEPROOF_FUZZ_ENTRY_H_

#include "fuzz/mutate/mutator.h"

namespace pteproof::fuzz {

// Of the executable's target.
[[nodiscard]] const Mutator& EntryMutator();

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_ENTRY_H_
