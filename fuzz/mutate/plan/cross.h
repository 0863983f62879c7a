// What one program takes of another. Blobs of both stay where they are; both inputs must outlive
// the result.
#ifndef PTEPROOF_FUZZ_MUTATE_PLAN_CROSS_H_
#define PTEPROOF_FUZZ_MUTATE_PLAN_CROSS_H_

#include "fuzz/mutate/random.h"
#include "pteproof/program.h"

namespace pteproof::fuzz::plan {

// A method with the data it uses: in place of the one of its name, or besides.
bool TakeMethod(Program& into, const Program& from, Random& random);

// Banks and offsets of one method for tensors of another that take as many bytes. False: no place
// is another.
bool TakePlaces(Program& into, const Program& from, Random& random);

}  // namespace pteproof::fuzz::plan

#endif  // PTEPROOF_FUZZ_MUTATE_PLAN_CROSS_H_
