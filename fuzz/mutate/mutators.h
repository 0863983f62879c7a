// The mutator of each kind of target.
#ifndef PTEPROOF_FUZZ_MUTATE_MUTATORS_H_
#define PTEPROOF_FUZZ_MUTATE_MUTATORS_H_

#include "fuzz/mutate/mutator.h"

namespace pteproof::fuzz {

extern const Mutator kReaderMutator;   // of a `.pte`: above all its tables
extern const Mutator kProgramMutator;  // of a `.pte`: above all its plan
extern const Mutator kDataMutator;     // of a `.ptd`, a `.bpte` or a manifest
extern const Mutator kTextMutator;     // of a Module's text: lines and words
extern const Mutator kChoicesMutator;  // of a generator's choices, taken out of their envelope
extern const Mutator kItemsMutator;    // of items of seven bytes
extern const Mutator kCallsMutator;    // of records of eight bytes behind a header of as many
extern const Mutator kCallMutator;     // of a header and, behind it, files: above all programs
extern const Mutator kPlainMutator;    // of bytes: to compare the others with

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_MUTATE_MUTATORS_H_
