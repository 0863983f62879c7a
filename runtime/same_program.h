// Whether two Programs say the same, wherever their pools, blobs and data indices lie.
#ifndef PTEPROOF_RUNTIME_SAME_PROGRAM_H_
#define PTEPROOF_RUNTIME_SAME_PROGRAM_H_

#include <string>

#include "pteproof/program.h"

namespace pteproof {

// Where the programs differ first, "forward, value 3: kind 4, kind 5" for instance; empty when they
// are the same. Numbers are compared bit for bit; stored data by the bytes that a tensor takes, so
// that blobs which no tensor uses do not count; structures that say nothing are flat tuples.
[[nodiscard]] std::string ProgramDifference(const Program& a, const Program& b);

[[nodiscard]] inline bool SameProgram(const Program& a, const Program& b) {
  return ProgramDifference(a, b).empty();
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_SAME_PROGRAM_H_
