// The constants that a program may write to, against its own declaration: a mistake of exporters
// that a run shows on copies of these constants.
#ifndef PTEPROOF_RUNTIME_EXECUTE_WRITTEN_CONSTANTS_H_
#define PTEPROOF_RUNTIME_EXECUTE_WRITTEN_CONSTANTS_H_

#include <cstdint>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// Per constant: the bytes of the largest tensor that stands for it, at least 1, if an instruction
// of any method may write to it; else 0. O(arguments).
[[nodiscard]] std::vector<uint64_t> WrittenConstantBytes(const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_WRITTEN_CONSTANTS_H_
