// When each value of a code is still wanted. Step i reads at point 2i and writes at 2i + 1; what is
// there at entry lives from -1, what is wanted at exit lives through 2n.
#ifndef PTEPROOF_PLANNER_PASSES_LIVENESS_H_
#define PTEPROOF_PLANNER_PASSES_LIVENESS_H_

#include <vector>

#include "planner/code/code.h"
#include "planner/passes/accesses.h"
#include "planner/passes/live_set.h"

namespace pteproof::planner {

// How long an operand lives in the step that reads it last.
enum class OperandEnd : uint8_t {
  kRead,   // to its read: a result may be made in its bytes
  kWrite,  // through its write: no result may
};

// Values that must keep their contents to the end of the method: outputs, buffers, and
// what is not the method's to overwrite.
[[nodiscard]] std::vector<ValueId> WantedAtExit(const Code& code);

// By ValueId; empty for numbers. A result without a reader lives at its write. Inputs live at
// entry, read or not: callers fill them all before the first step. Backward along the jumps, value
// by value: O(accesses + spans) for straight code; a value costs a further step per block it lives
// through.
[[nodiscard]] std::vector<LiveSet> LivenessOf(const Code& code, const Accesses& accesses,
                                              OperandEnd end);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_LIVENESS_H_
