// Small programs to begin from, in which each operator that has a kernel is called: once with sizes
// that are fixed, once with sizes that may vary, and once with some of both.
#ifndef PTEPROOF_FUZZ_CALLS_SEED_PROGRAMS_H_
#define PTEPROOF_FUZZ_CALLS_SEED_PROGRAMS_H_

#include <string>
#include <vector>

#include "fuzz/mutate/mutator.h"

namespace pteproof::fuzz {

struct SeedProgram {
  std::string name;
  Buffer file;
};

// Always the same for equal tables. An operator without a call that runs to its end is left out.
[[nodiscard]] std::vector<SeedProgram> MakeSeedPrograms();

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_SEED_PROGRAMS_H_
