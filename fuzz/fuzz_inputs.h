// What a fuzz target does with one input, apart from libFuzzer: the corpus is replayed through the
// same functions by the tests.
#ifndef PTEPROOF_FUZZ_FUZZ_INPUTS_H_
#define PTEPROOF_FUZZ_FUZZ_INPUTS_H_

#include "runtime/program.h"

namespace pteproof {

// Reads `file`. Aborts when it is refused without a reason.
void FuzzRead(Bytes file);

// Reads `file` and checks the program under both orders of loading. Aborts when a verdict and the
// findings that it stands on disagree.
void FuzzCheck(Bytes file);

}  // namespace pteproof

#endif  // PTEPROOF_FUZZ_FUZZ_INPUTS_H_
