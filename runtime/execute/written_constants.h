// The constants that a program may write to, against its own declaration: a mistake of exporters
// that a run shows on copies of these constants.
#ifndef PTEPROOF_RUNTIME_EXECUTE_WRITTEN_CONSTANTS_H_
#define PTEPROOF_RUNTIME_EXECUTE_WRITTEN_CONSTANTS_H_

#include <cstdint>
#include <vector>

#include "pteproof/program.h"
#include "runtime/execute/opaque_call.h"

namespace pteproof {

// Per constant: the bytes of the largest tensor that stands for it, at least 1, if an instruction
// of any method may write to it; else 0. A call that nobody can look into writes to its results as
// given in `opaque`; of a call that is not given there, any argument may be one. O(arguments).
[[nodiscard]] std::vector<uint64_t> WrittenConstantBytes(const Program& program,
                                                         const GivenOpaqueCalls& opaque);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_WRITTEN_CONSTANTS_H_
