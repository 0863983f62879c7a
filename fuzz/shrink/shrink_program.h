// Makes the program of a find small, so that a person sees what it is about.
#ifndef PTEPROOF_FUZZ_SHRINK_SHRINK_PROGRAM_H_
#define PTEPROOF_FUZZ_SHRINK_SHRINK_PROGRAM_H_

#include <functional>

#include "pteproof/program.h"

namespace pteproof::fuzz {

// Leaves out methods, instructions, inputs, outputs, named data and values that nobody uses, one
// thing after the other, as long as the program stays one that `fails`; until nothing more can be
// left out. `program` itself fails. A file can hold what comes out, and what `fails` is asked
// about.
[[nodiscard]] Program ShrunkProgram(Program program,
                                    const std::function<bool(const Program&)>& fails);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_SHRINK_SHRINK_PROGRAM_H_
