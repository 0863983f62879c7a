// What ExecuTorch asks the method allocator for when it loads methods, request by request, and the
// large blocks that it takes from the heap meanwhile.
#ifndef PTEPROOF_TESTS_EXECUTORCH_WITNESS_COUNTED_LOAD_H_
#define PTEPROOF_TESTS_EXECUTORCH_WITNESS_COUNTED_LOAD_H_

#include "tests/executorch/witness/job.h"

namespace pteproof::witness {

// Loads all methods of the job's program in the file's order: by hand, each with an allocator of
// its own, or by `Module`, all with one. The outcome has for each method its name, the number of
// requests, then size and alignment of each; where the allocator's used part ends; the number of
// blocks of at least kLargeBlock bytes from the heap, then their sizes.
[[nodiscard]] Outcome CountLoad(const Job& job);

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_WITNESS_COUNTED_LOAD_H_
