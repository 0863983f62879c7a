// Goes through a whole decoded program, as everything that is built on the reader will.
#ifndef PTEPROOF_FUZZ_WALK_H_
#define PTEPROOF_FUZZ_WALK_H_

#include "pteproof/program.h"

namespace pteproof::fuzz {

// Touches every element and every stored byte, and aborts where what runtime/program.h promises
// does not hold: indices in range, ranges in their pools, sizes that fit. The number depends on all
// of it, so that no read is left out. O(size of the program and its blobs).
uint64_t Walk(const Program& program);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_WALK_H_
